import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { type GivenHook, insertDelivery, insertTestWebhook } from '../../../test/fixtures/insert-webhook.ts'
import { isSuccess, isTransient, recordFailure } from './record-outcome.ts'
import { recordSuccesses } from './record-successes.ts'
import { deleteDeliveries, stopForLostRights } from './return-deliveries.ts'
import type { RequestOutcome } from './send-outbound-request.ts'
import { claimRuns, type ClaimedDelivery } from './claim-deliveries.ts'

const { context } = await startWorld()
const { db } = context

const SECOND = 1000
const DAY = 86_400_000
const later = (milliseconds: number) => new Date(TEST_NOW.getTime() + milliseconds)
const outcome = (status: number | null, more: Partial<RequestOutcome> = {}): RequestOutcome => ({
  status,
  isRefused: false,
  error: null,
  duration_ms: 1,
  headers: null,
  body: null,
  ...more,
})
const request = { headers: { a: 'b' }, body: 'sent', people: [7] }
const record = (delivery: ClaimedDelivery, given: RequestOutcome) =>
  isSuccess(given)
    ? recordSuccesses(db, delivery.webhook_id, [{ delivery, request, outcome: given }])
    : recordFailure(context, delivery, request, given)

/** A delivery that was just taken, of a hook of its own. */
async function taken(hook: GivenHook = {}, attempts = 0): Promise<ClaimedDelivery> {
  const webhook = await insertTestWebhook(db, hook)
  await insertDelivery(db, webhook, { kind: 'ping', attempts })
  const [run] = await claimRuns(db, { all: 1, failing: 1 }, TEST_NOW)
  const delivery = run?.deliveries[0]
  if (!delivery) throw new Error('Nothing was due.')
  return delivery
}

const hookOf = ({ webhook_id }: ClaimedDelivery) =>
  db.selectFrom('webhook').selectAll().where('id', '=', webhook_id).executeTakeFirstOrThrow()
const rowOf = ({ id }: ClaimedDelivery) =>
  db.selectFrom('webhook_delivery').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('an answer', () => {
  test.each([
    { status: 199, success: false, transient: false },
    { status: 200, success: true, transient: false },
    { status: 299, success: true, transient: false },
    { status: 300, success: false, transient: false },
    { status: 408, success: false, transient: true },
    { status: 425, success: false, transient: true },
    { status: 429, success: false, transient: true },
    { status: 499, success: false, transient: false },
    { status: 500, success: false, transient: true },
    { status: null, success: false, transient: true },
  ])('$status is a success: $success, worth another try: $transient', ({ status, success, transient }) => {
    expect([isSuccess(outcome(status)), isTransient(outcome(status))]).toEqual([success, transient])
  })

  test('that was never asked for is not worth another try', () => {
    expect(isTransient(outcome(null, { isRefused: true }))).toBe(false)
  })
})

describe('a success', () => {
  test('ends the delivery, and makes its hook well again and no other', async () => {
    const other = await taken({ state: 'failing', failures: 3, failing_since: TEST_NOW })
    const delivery = await taken({ state: 'failing', failures: 7, failing_since: TEST_NOW, held_until: TEST_NOW })
    await record(delivery, outcome(204, { body: 'thanks' }))
    expect(await rowOf(delivery)).toMatchObject({
      state: 'delivered',
      tried: true,
      taken_until: null,
      status: 204,
      request_body: 'sent',
      answer_body: 'thanks',
      people: [7],
    })
    const well = { state: 'ok', failures: 0, failing_since: null, held_until: null, last_status: 204, active: true }
    expect(await hookOf(delivery)).toMatchObject(well)
    expect(await hookOf(other)).toMatchObject({ state: 'failing', failures: 3, last_status: null })
    expect(await rowOf(other)).toMatchObject({ state: 'waiting', tried: false })
  })

  test.each<GivenHook>([{ failures: 3 }, { failing_since: TEST_NOW }, { held_until: TEST_NOW }, { state: 'failing' }])(
    'removes %j alone, although the status is that of the last success',
    async (given) => {
      const delivery = await taken(given)
      await db.updateTable('webhook').set({ last_status: 200 }).execute()
      await record(delivery, outcome(200))
      const well = { state: 'ok', failures: 0, failing_since: null, held_until: null, last_status: 200 }
      expect(await hookOf(delivery)).toMatchObject(well)
    },
  )

  test('tells the version of its hook, and none if the hook is gone', async () => {
    const [delivery, other] = [await taken(), await taken()]
    await db.updateTable('webhook').set({ version: 7 }).where('id', '=', delivery.webhook_id).execute()
    expect(await record(delivery, outcome(200))).toBe(7)
    expect(await record(other, outcome(200))).toBe(other.version)
    await db.deleteFrom('webhook').where('id', '=', delivery.webhook_id).execute()
    expect(await record(delivery, outcome(200))).toBeUndefined()
  })

  test('does not switch on a hook that is off', async () => {
    const delivery = await taken({ state: 'off', active: false })
    await record(delivery, outcome(200))
    expect(await hookOf(delivery)).toMatchObject({ state: 'off', active: false })
  })
})

describe('a failure', () => {
  test('that may pass is tried again after ten seconds or so', async () => {
    const delivery = await taken()
    await record(delivery, outcome(500))
    const { state, due_on } = await rowOf(delivery)
    expect(state).toBe('retrying')
    expect(due_on.getTime()).toBeGreaterThanOrEqual(later(9 * SECOND).getTime())
    expect(due_on.getTime()).toBeLessThanOrEqual(later(11 * SECOND).getTime())
    const failing = { state: 'failing', failures: 1, failing_since: TEST_NOW, held_until: null, last_status: 500 }
    expect(await hookOf(delivery)).toMatchObject({ ...failing, active: true })
  })

  test.each([
    { given: '120', seconds: 120 },
    { given: '86400', seconds: 3600 },
    { given: 'Sun, 01 Mar 2026 09:40:00 GMT', seconds: 600 },
  ])('with Retry-After $given is tried again after $seconds seconds', async ({ given, seconds }) => {
    const delivery = await taken()
    await record(delivery, outcome(503, { headers: { 'retry-after': given } }))
    expect((await rowOf(delivery)).due_on).toEqual(later(seconds * SECOND))
  })

  test.each(['Sun, 01 Mar 2026 09:20:00 GMT', 'soon'])(
    'with Retry-After %s is tried again as without',
    async (given) => {
      const delivery = await taken()
      await record(delivery, outcome(503, { headers: { 'retry-after': given } }))
      const { due_on } = await rowOf(delivery)
      expect(due_on.getTime()).toBeLessThanOrEqual(later(11 * SECOND).getTime())
      expect(due_on.getTime()).toBeGreaterThanOrEqual(later(9 * SECOND).getTime())
    },
  )

  test.each([
    { failures: 3, status: 500, held: null },
    { failures: 4, status: 500, held: 10 },
    { failures: 6, status: 500, held: 40 },
    { failures: 60, status: 500, held: 300 },
    { failures: 6, status: 404, held: null },
  ])('with $status after $failures others holds the hook for $held seconds', async ({ failures, status, held }) => {
    const delivery = await taken({ state: 'failing', failures, failing_since: later(-DAY) })
    await record(delivery, outcome(status))
    expect(await hookOf(delivery)).toMatchObject({
      failures: failures + 1,
      failing_since: later(-DAY),
      held_until: held === null ? null : later(held * SECOND),
    })
  })

  test('without an answer keeps the last status', async () => {
    const delivery = await taken()
    await db.updateTable('webhook').set({ last_status: 502 }).execute()
    await record(delivery, outcome(null, { error: 'ECONNRESET' }))
    expect(await hookOf(delivery)).toMatchObject({ last_status: 502 })
    expect(await rowOf(delivery)).toMatchObject({ state: 'retrying', status: null, error: 'ECONNRESET' })
  })

  test.each([
    { since: 3 * DAY - 1, state: 'failing', active: true },
    { since: 3 * DAY, state: 'paused', active: false },
  ])('after $since ms without success leaves the hook $state', async ({ since, state, active }) => {
    const delivery = await taken({ state: 'failing', failures: 1, failing_since: later(-since) })
    await record(delivery, outcome(500))
    expect(await hookOf(delivery)).toMatchObject({ state, active })
    expect(await audited(context, 'webhook.paused')).toHaveLength(active ? 0 : 1)
  })

  test('410 switches a hook off, unless it is off already', async () => {
    const delivery = await taken()
    await record(delivery, outcome(410))
    expect(await hookOf(delivery)).toMatchObject({ state: 'off', active: false, state_reason: 'receiver_gone' })
    expect(await rowOf(delivery)).toMatchObject({ state: 'failed' })
    const second = await taken({ active: false, state: 'off' })
    await record(second, outcome(410))
    expect(await hookOf(second)).toMatchObject({ state: 'off', state_reason: null })
  })

  test('of the ninth attempt parks the delivery, and says so to administrators', async () => {
    const eighth = await taken({}, 7)
    await record(eighth, outcome(500))
    expect((await rowOf(eighth)).state).toBe('retrying')
    const ninth = await taken({}, 8)
    await record(ninth, outcome(500))
    expect((await rowOf(ninth)).state).toBe('parked')
    const jobs = await db.selectFrom('job').select(['object', 'state']).where('type', '=', 'webhook_delivery').execute()
    expect(jobs).toEqual([{ object: `webhooks/${ninth.webhook_id}/deliveries/${ninth.id}`, state: 'parked' }])
  })
})

test.each([
  { what: 'another process has taken it', change: { attempts: 2 } },
  { what: 'its lease was given back', change: { taken_until: null } },
])('nothing is written where $what', async ({ change }) => {
  const delivery = await taken()
  await db.updateTable('webhook_delivery').set(change).where('id', '=', delivery.id).execute()
  await record(delivery, outcome(500))
  await record(delivery, outcome(200))
  expect(await rowOf(delivery)).toMatchObject({ state: 'waiting', tried: false, status: null })
  expect(await hookOf(delivery)).toMatchObject({ state: 'ok', failures: 0 })
})

test('a delivery is forgotten, or given back with its attempt, alone', async () => {
  const [gone, given, other] = [await taken(), await taken({}, 3), await taken()]
  await deleteDeliveries(context, [gone])
  await stopForLostRights(context, [given])
  const rows = await db.selectFrom('webhook_delivery').select(['id', 'attempts', 'taken_until']).orderBy('id').execute()
  expect(rows).toEqual([
    { id: given.id, attempts: 3, taken_until: null },
    { id: other.id, attempts: 1, taken_until: later(20 * SECOND) },
  ])
  expect(await hookOf(given)).toMatchObject({ active: false, state: 'paused', state_reason: 'owner_lost_rights' })
  expect(await hookOf(other)).toMatchObject({ active: true, state: 'ok' })
})
