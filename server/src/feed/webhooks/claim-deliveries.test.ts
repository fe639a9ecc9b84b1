import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import {
  type GivenDelivery,
  type GivenHook,
  insertDelivery,
  insertTestWebhook,
} from '../../../test/fixtures/insert-webhook.ts'
import { MARA } from '../../../test/fixtures/people.ts'
import { BUGS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { DeliveryKind } from './delivery.ts'
import { claimRuns } from './claim-deliveries.ts'
import type { WebhookId } from './webhook.ts'

const { context } = await startWorld()
const { db } = context

const later = (milliseconds: number) => new Date(TEST_NOW.getTime() + milliseconds)
const ALL = { all: 32, failing: 16 }
const take = async (free = ALL) => {
  const runs = await claimRuns(db, free, TEST_NOW)
  return runs.flatMap(({ deliveries }) => deliveries.map(({ id }) => id)).toSorted((one, other) => one - other)
}

const hook = (given?: GivenHook) => insertTestWebhook(db, given)
const delivery = (webhook: WebhookId, given?: GivenDelivery) => insertDelivery(db, webhook, given)

describe('a delivery is taken', () => {
  test.each<GivenDelivery & { isTaken: boolean }>([
    { isTaken: true },
    { state: 'retrying', isTaken: true },
    { state: 'delivered', isTaken: false },
    { state: 'failed', isTaken: false },
    { state: 'parked', isTaken: false },
    { due_on: later(1), isTaken: false },
    { taken_until: TEST_NOW, isTaken: true },
    { taken_until: later(1), isTaken: false },
  ])('with $state $due_on $taken_until: $isTaken', async ({ isTaken, ...given }) => {
    const id = await delivery(await hook(), given)
    expect(await take()).toEqual(isTaken ? [id] : [])
  })

  test.each<{ of: GivenHook; kinds: DeliveryKind[] }>([
    { of: {}, kinds: ['planned', 'redelivered', 'replayed', 'ping'] },
    { of: { held_until: TEST_NOW }, kinds: ['planned', 'redelivered', 'replayed', 'ping'] },
    { of: { held_until: later(1) }, kinds: ['redelivered', 'ping'] },
    { of: { active: false }, kinds: ['redelivered', 'ping'] },
    { of: { active: false, held_until: TEST_NOW }, kinds: ['redelivered', 'ping'] },
    { of: { active: false, state_reason: 'receiver_failing' }, kinds: ['redelivered', 'ping'] },
    { of: { active: false, state_reason: 'owner_lost_rights' }, kinds: ['ping'] },
  ])('of a hook $of, if it is one of $kinds', async ({ of, kinds }) => {
    const webhook = await hook(of)
    const ids = new Map<number, DeliveryKind>()
    for (const kind of ['planned', 'redelivered', 'replayed', 'ping'] as const)
      ids.set(await delivery(webhook, { kind, object: kind }), kind)
    expect((await take()).map((id) => ids.get(id))).toEqual(kinds)
  })

  test('for twenty seconds, with its attempt counted, and comes with what its own hook says', async () => {
    await hook()
    const webhook = await hook({ failures: 2 })
    await db.updateTable('webhook').set({ url: 'https://own.waypost.example/' }).where('id', '=', webhook).execute()
    const id = await delivery(webhook)
    const other = await delivery(webhook, { due_on: later(1) })
    const runs = await claimRuns(db, ALL, TEST_NOW)
    const [taken, ...more] = runs.flatMap(({ deliveries }) => deliveries)
    expect(more).toEqual([])
    expect(runs).toMatchObject([{ webhook_id: webhook, concurrency: 1 }])
    expect(taken).toMatchObject({
      id,
      webhook_id: webhook,
      attempts: 1,
      failures: 2,
      url: 'https://own.waypost.example/',
    })
    expect(taken).toMatchObject({ owner_id: MARA.id, tracker_id: BUGS, project_id: ORCHARD })
    const rows = await db
      .selectFrom('webhook_delivery')
      .select(['id', 'taken_until', 'attempts'])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { id, taken_until: later(20_000), attempts: 1 },
      { id: other, taken_until: null, attempts: 0 },
    ])
    expect(await take()).toEqual([])
  })

  test('by one process at a time', async () => {
    const id = await delivery(await hook())
    await inTransaction(db, async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('takers of webhook deliveries', 0))`.execute(tx)
      expect(await take()).toEqual([])
    })
    expect(await take()).toEqual([id])
  })
})

describe('at once', () => {
  test('a hook has four, those under way counted, and those whose lease is over not', async () => {
    const webhook = await hook()
    const other = await hook()
    await delivery(webhook, { taken_until: later(1) })
    const ids = []
    for (let count = 0; count < 5; count++)
      ids.push(await delivery(webhook, { taken_until: TEST_NOW, object: `${count}` }))
    const elsewhere = await delivery(other, { taken_until: later(1) })
    const free = await delivery(other, { object: 'other' })
    const taken = await take()
    expect(taken).toEqual([...ids.slice(0, 3), free])
    expect(taken).not.toContain(elsewhere)
  })

  test.each([
    { failures: 4, count: 4 },
    { failures: 5, count: 1 },
  ])('a hook with $failures failures has $count', async ({ failures, count }) => {
    const webhook = await hook({ failures })
    for (let made = 0; made < 6; made++) await delivery(webhook, { object: `${made}` })
    expect(await take()).toHaveLength(count)
    expect(await take()).toEqual([])
  })

  test('hooks that fail take only their share, and come after those that answer', async () => {
    const failing = [await delivery(await hook({ failures: 5 })), await delivery(await hook({ failures: 9 }))]
    const sound = [await delivery(await hook()), await delivery(await hook({ failures: 4 }))]
    const undone = () => db.updateTable('webhook_delivery').set({ taken_until: null }).execute()
    expect(await take({ all: 32, failing: 1 })).toEqual([failing[0], ...sound])
    await undone()
    expect(await take({ all: 32, failing: 0 })).toEqual(sound)
    await undone()
    expect(await take({ all: 3, failing: 2 })).toEqual([failing[0], ...sound])
    await undone()
    expect(await take({ all: 1, failing: 2 })).toEqual([sound[0]])
    await undone()
    expect(await take({ all: 0, failing: 2 })).toEqual([])
    expect(await take({ all: -1, failing: 2 })).toEqual([])
  })

  test('the one that is due for longest comes first', async () => {
    await delivery(await hook())
    const old = await delivery(await hook(), { due_on: later(-1) })
    expect(await take({ all: 1, failing: 0 })).toEqual([old])
  })
})

describe('in order', () => {
  test('the first delivery of an object does not wait, and the next waits until the first was tried', async () => {
    const webhook = await hook()
    const first = await delivery(webhook, { object: 'artifacts/1', due_on: later(1) })
    const second = await delivery(webhook, { object: 'artifacts/1' })
    const other = await delivery(webhook, { object: 'artifacts/2' })
    const elsewhere = await delivery(await hook(), { object: 'artifacts/1' })
    expect(await take()).toEqual([other, elsewhere])
    await db
      .updateTable('webhook_delivery')
      .set({ taken_until: later(1) })
      .where('id', '=', other)
      .execute()
    await db.updateTable('webhook_delivery').set({ tried: true, state: 'retrying' }).where('id', '=', first).execute()
    expect(await take()).toEqual([second])
  })

  test.each<GivenDelivery & { isWaitedFor: boolean }>([
    { state: 'waiting', tried: false, isWaitedFor: true },
    { state: 'waiting', tried: true, isWaitedFor: false },
    { state: 'retrying', tried: false, isWaitedFor: false },
    { state: 'failed', tried: true, isWaitedFor: false },
  ])('an earlier one that is $state, tried $tried, is waited for: $isWaitedFor', async ({ isWaitedFor, ...given }) => {
    const webhook = await hook()
    await delivery(webhook, { ...given, object: 'artifacts/1', due_on: later(1) })
    const second = await delivery(webhook, { object: 'artifacts/1' })
    expect(await take()).toEqual(isWaitedFor ? [] : [second])
  })

  test.each<GivenDelivery & { isWaitedFor: boolean }>([
    { state: 'waiting', isWaitedFor: true },
    { state: 'retrying', tried: true, isWaitedFor: true },
    { state: 'delivered', tried: true, isWaitedFor: false },
    { state: 'parked', tried: true, isWaitedFor: false },
    { kind: 'ping', isWaitedFor: false },
  ])('a hook where order counts waits for an earlier $kind $state: $isWaitedFor', async ({ isWaitedFor, ...given }) => {
    const webhook = await hook({ ordered: true })
    await delivery(webhook, { ...given, object: 'artifacts/1', due_on: later(1) })
    const second = await delivery(webhook, { object: 'artifacts/2' })
    const ping = await delivery(webhook, { kind: 'ping' })
    const elsewhere = await delivery(await hook({ ordered: true }), { object: 'artifacts/2' })
    expect(await take()).toEqual([...(isWaitedFor ? [] : [second]), ping, elsewhere])
  })
})

describe('a run', () => {
  const deliveries = async (webhook: WebhookId, count: number) => {
    const ids = []
    for (let made = 0; made < count; made++) ids.push(await delivery(webhook, { object: `artifacts/${made % 2}` }))
    return ids
  }

  test.each([
    { of: {}, concurrency: 4 },
    { of: { ordered: true }, concurrency: 1 },
  ])(
    'of a hook $of has the first deliveries in order, to be sent $concurrency at once',
    async ({ of, concurrency }) => {
      const webhook = await hook(of)
      const ids = await deliveries(webhook, 10)
      const [run, ...more] = await claimRuns(db, ALL, TEST_NOW)
      expect(more).toEqual([])
      expect(run).toMatchObject({ webhook_id: webhook, concurrency })
      expect(run?.deliveries.map(({ id }) => id)).toEqual(ids.slice(0, 8))
      expect(await take()).toEqual([])
    },
  )

  test('has the length that is known for its hook', async () => {
    const [fast, slow] = [await hook(), await hook()]
    const ids = [...(await deliveries(fast, 12)).slice(0, 10), ...(await deliveries(slow, 4)).slice(0, 1)]
    const known = new Map([
      [fast, 10],
      [slow, 1],
    ])
    const runs = await claimRuns(db, ALL, TEST_NOW, known)
    expect(runs.flatMap((run) => run.deliveries.map(({ id }) => id))).toEqual(ids)
  })

  test('ends before a delivery that is not due, in a hook where order counts', async () => {
    const webhook = await hook({ ordered: true })
    const first = await deliveries(webhook, 2)
    await delivery(webhook, { state: 'retrying', tried: true, due_on: later(1) })
    await deliveries(webhook, 2)
    expect(await take()).toEqual(first)
  })

  test('leaves out an artifact whose earlier delivery is not due', async () => {
    const webhook = await hook()
    await delivery(webhook, { object: 'artifacts/1', due_on: later(1) })
    const ids = await deliveries(webhook, 5)
    expect(await take()).toEqual([ids[0], ids[2], ids[4]])
  })

  test('keeps its length if the process has few requests left', async () => {
    const ids = await deliveries(await hook(), 6)
    expect(await claimRuns(db, { all: 2, failing: 0 }, TEST_NOW)).toMatchObject([{ concurrency: 2 }])
    const taken = await db.selectFrom('webhook_delivery').select('id').where('taken_until', 'is not', null).execute()
    expect(taken.map(({ id }) => id)).toEqual(ids)
  })

  test('that takes longer than a second lets others begin beside it', async () => {
    const webhook = await hook()
    await delivery(webhook, { object: 'artifacts/7', taken_until: later(19_001) })
    const [next] = await deliveries(webhook, 1)
    expect(await take()).toEqual([])
    await db
      .updateTable('webhook_delivery')
      .set({ taken_until: later(19_000) })
      .where('taken_until', 'is not', null)
      .execute()
    expect(await take()).toEqual([next])
  })
})
