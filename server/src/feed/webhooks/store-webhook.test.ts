import { describe, expect, test } from 'vitest'
import { startWorld, TEST_NOW } from '../../../test/harness/start-world.ts'
import { insertTestWebhook } from '../../../test/fixtures/insert-webhook.ts'
import { MARA } from '../../../test/fixtures/people.ts'
import { BUGS, LEDGER, ORCHARD, QUARRY, SAFE, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { ProjectId } from '../../projects/project.ts'
import { loadCurrentTracker } from '../../trackers/find-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { findWebhooksOf, type WebhookHome } from './find-webhook.ts'
import { assertWebhookLimit, insertWebhook, removeWebhook, updateWebhook } from './store-webhook.ts'
import type { WebhookId } from './webhook.ts'

const { context } = await startWorld()
const { db } = context

const readHook = (id: WebhookId) => db.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const later = new Date(TEST_NOW.getTime() + 60_000)
const FAILING = { state: 'failing', failures: 7, failing_since: TEST_NOW, held_until: later } as const

/** The hooks of one tracker, or of a project. */
async function homeOf(project_id: ProjectId, tracker_id?: TrackerId): Promise<WebhookHome> {
  const tracker = tracker_id === undefined ? null : await loadCurrentTracker(context, db, tracker_id)
  if (tracker === undefined) throw new Error('There is no such tracker.')
  return { project_id, tracker }
}

async function insertHookOf(project_id: ProjectId, tracker_id: TrackerId | null): Promise<WebhookId> {
  const id = await insertTestWebhook(db)
  const as_user = tracker_id === null ? MARA.id : null
  await db.updateTable('webhook').set({ project_id, tracker_id, as_user }).where('id', '=', id).execute()
  return id
}

describe('a new hook', () => {
  test.each([
    { active: true, state: 'ok' },
    { active: false, state: 'off' },
  ])('that is active: $active, is $state', async ({ active, state }) => {
    const choices = {
      url: 'https://hooks.waypost.example/in',
      events: ['artifact.created'],
      format: 'json',
      payload: 'event',
      as_user: MARA.id,
      ordered: true,
      active,
    } as const
    const home = await homeOf(ORCHARD)
    const row = { choices, secret: Buffer.from('locked'), created_by: MARA.id, now: TEST_NOW }
    const made = await inTransaction(db, (tx) => insertWebhook(tx, home, row))
    const known = { project_id: ORCHARD, tracker_id: null, created_by: MARA.id, owner_id: MARA.id, failures: 0 }
    expect(await readHook(made.id)).toMatchObject({ ...choices, ...known, state })
  })
})

describe('a change', () => {
  test('is of one hook', async () => {
    const [one, other] = [await insertTestWebhook(db), await insertTestWebhook(db)]
    const before = await readHook(other)
    const changed = await inTransaction(db, (tx) => updateWebhook(tx, { id: one }, { format: 'json' }))
    expect(changed).toMatchObject({ id: one, format: 'json', version: before.version + 1 })
    expect(await readHook(one)).toMatchObject({ format: 'json', version: before.version + 1 })
    expect(await readHook(other)).toEqual(before)
  })

  test('to active forgets the failures', async () => {
    const id = await insertTestWebhook(db, {
      ...FAILING,
      state: 'paused',
      active: false,
      state_reason: 'receiver_failing',
    })
    await inTransaction(db, (tx) => updateWebhook(tx, { id }, { active: true }))
    const well = { active: true, state: 'ok', state_reason: null, failures: 0, failing_since: null, held_until: null }
    expect(await readHook(id)).toMatchObject(well)
  })

  test('to inactive keeps the failures', async () => {
    const id = await insertTestWebhook(db, FAILING)
    await inTransaction(db, (tx) => updateWebhook(tx, { id }, { active: false }))
    expect(await readHook(id)).toMatchObject({ ...FAILING, active: false, state: 'off', state_reason: null })
  })

  test('of something else changes neither state nor failures', async () => {
    const given = { ...FAILING, active: false, state: 'paused', state_reason: 'receiver_failing' } as const
    const id = await insertTestWebhook(db, given)
    await inTransaction(db, (tx) => updateWebhook(tx, { id }, { ordered: true }))
    expect(await readHook(id)).toMatchObject({ ...given, ordered: true })
  })
})

test('one hook is removed', async () => {
  const [one, other] = [await insertTestWebhook(db), await insertTestWebhook(db)]
  await inTransaction(db, (tx) => removeWebhook(tx, { id: one }))
  expect(await db.selectFrom('webhook').select('id').execute()).toEqual([{ id: other }])
})

describe('the hooks of a home', () => {
  test('are those of the tracker, or those of the project itself', async () => {
    const [first, ofLedger, ofProject, ofOther, second] = [
      await insertHookOf(ORCHARD, BUGS),
      await insertHookOf(ORCHARD, LEDGER),
      await insertHookOf(ORCHARD, null),
      await insertHookOf(QUARRY, null),
      await insertHookOf(ORCHARD, BUGS),
    ]
    const listed = async (home: WebhookHome) => (await findWebhooksOf(db, home)).map(({ id }) => id)
    expect(await listed(await homeOf(ORCHARD, BUGS))).toEqual([first, second])
    expect(await listed(await homeOf(ORCHARD, LEDGER))).toEqual([ofLedger])
    expect(await listed(await homeOf(ORCHARD))).toEqual([ofProject])
    expect(await listed(await homeOf(QUARRY))).toEqual([ofOther])
    expect(await listed(await homeOf(VAULT, SAFE))).toEqual([])
  })

  test('are at most twenty', async () => {
    const home = await homeOf(ORCHARD, BUGS)
    const check = () => inTransaction(db, (tx) => assertWebhookLimit(tx, home))
    await insertHookOf(ORCHARD, LEDGER)
    for (let count = 0; count < 19; count++) await insertTestWebhook(db)
    await check()
    await insertTestWebhook(db)
    await expect(check()).rejects.toMatchObject({
      reason: 'rule_violated',
      details: { cause: 'too_many', allowed: { maximum: 20 } },
    })
  })
})
