import { describe, expect, test } from 'vitest'
import { startWorld, TEST_NOW } from '../../../test/harness/start-world.ts'
import { insertDelivery, insertTestWebhook } from '../../../test/fixtures/insert-webhook.ts'
import { ADA, MARA, SAM, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUGS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { claimRuns, type DeliveryRun } from './claim-deliveries.ts'
import { composeBodies } from './compose-body.ts'
import { createDeliveryPool } from './deliver.ts'
import { deliverRun } from './deliver-run.ts'
import { findWebhookReader, type HookRights } from './webhook-viewer.ts'

const { api, context } = await startWorld()
const { db } = context

const OF_BUGS: HookRights = {
  as_user: null,
  owner_id: MARA.id,
  events: ['artifact.created'],
  project_id: ORCHARD,
  tracker_id: BUGS,
}
const OF_ORCHARD: HookRights = { ...OF_BUGS, as_user: MARA.id, tracker_id: null }
const read = (hook: HookRights) => findWebhookReader(context, db, hook)

describe('the reader of a hook', () => {
  test('of a tracker is its owner, for this tracker and all of its fields', async () => {
    const reader = await read(OF_BUGS)
    expect(reader).toMatchObject({ viewer: { account_id: MARA.id }, types: ['artifact.created'] })
    expect(reader).toMatchObject({ tracker: BUGS, allFieldsOf: BUGS })
    expect(reader).not.toHaveProperty('project')
  })

  test('of a project is its viewer, for this project, with the rights of the viewer alone', async () => {
    const reader = await read(OF_ORCHARD)
    expect(reader).toMatchObject({ viewer: { account_id: MARA.id }, types: ['artifact.created'], project: ORCHARD })
    expect(reader).not.toHaveProperty('tracker')
    expect(reader).not.toHaveProperty('allFieldsOf')
  })

  test('is another account only if a site administrator owns the hook', async () => {
    const reader = await read({ ...OF_BUGS, owner_id: ADA.id, as_user: TOM.id })
    expect(reader).toMatchObject({ viewer: { account_id: TOM.id }, tracker: BUGS })
    expect(reader).not.toHaveProperty('allFieldsOf')
    expect(await read({ ...OF_BUGS, as_user: TOM.id })).toBe('owner_lost_rights')
  })

  test.each<{ why: string; hook: HookRights }>([
    { why: 'there is no owner', hook: { ...OF_BUGS, owner_id: null } },
    { why: 'the owner cannot sign in', hook: { ...OF_BUGS, owner_id: SAM.id } },
    { why: 'the owner does not administer the tracker', hook: { ...OF_BUGS, owner_id: TOM.id } },
    {
      why: 'the owner administers a tracker of the project',
      hook: { ...OF_ORCHARD, owner_id: UMA.id, as_user: UMA.id },
    },
  ])('is refused if $why', async ({ hook }) => {
    expect(await read(hook)).toBe('owner_lost_rights')
  })

  test('is missing for now if the viewer cannot sign in', async () => {
    expect(await read({ ...OF_BUGS, owner_id: ADA.id, as_user: SAM.id })).toBeUndefined()
  })
})

describe('claimed deliveries', () => {
  /** A run of two deliveries of an event that is gone. */
  async function claim(owner: AccountId): Promise<DeliveryRun> {
    const webhook = await insertTestWebhook(db)
    await db.updateTable('webhook').set({ owner_id: owner }).where('id', '=', webhook).execute()
    await insertDelivery(db, webhook, { object: 'artifacts/1' })
    await insertDelivery(db, webhook, { object: 'artifacts/2' })
    const [run] = await claimRuns(db, { all: 4, failing: 1 }, TEST_NOW)
    if (!run) throw new Error('There is nothing to claim.')
    return run
  }
  const rows = () => db.selectFrom('webhook_delivery').select(['id', 'attempts', 'taken_until']).orderBy('id').execute()
  const hookOf = ({ webhook_id }: DeliveryRun) =>
    db.selectFrom('webhook').select(['active', 'state_reason']).where('id', '=', webhook_id).executeTakeFirst()
  const startProcess = () => ({ ...context, deliveryPool: createDeliveryPool() })

  test('of an owner without rights are kept, and the hook stops', async () => {
    const run = await claim(TOM.id)
    expect(await composeBodies(context, run.deliveries)).toEqual(['owner_lost_rights', 'owner_lost_rights'])
    await deliverRun(startProcess(), run)
    expect(await rows()).toEqual(run.deliveries.map(({ id }) => ({ id, attempts: 0, taken_until: null })))
    expect(await hookOf(run)).toEqual({ active: false, state_reason: 'owner_lost_rights' })
  })

  test('that cannot be read any more are deleted, and the hook goes on', async () => {
    const run = await claim(MARA.id)
    expect(await composeBodies(context, run.deliveries)).toEqual(['hidden', 'hidden'])
    await deliverRun(startProcess(), run)
    expect(await rows()).toEqual([])
    expect(await hookOf(run)).toEqual({ active: true, state_reason: null })
  })

  test('that cannot be composed together are tried one by one', async () => {
    const run = await claim(MARA.id)
    const process = startProcess()
    const databaseSemaphore = () => Promise.reject(new Error('It cannot be composed.'))
    const failing = { ...process, deliveryPool: { ...process.deliveryPool, databaseSemaphore } }
    await expect(deliverRun(failing, run)).rejects.toThrow('It cannot be composed.')
    expect(process.deliveryPool.runLengths.get(run.webhook_id)).toBe(1)
    const [first, second] = run.deliveries
    expect(await rows()).toEqual([
      { id: first?.id, attempts: 1, taken_until: new Date(TEST_NOW.getTime() + 20_000) },
      { id: second?.id, attempts: 0, taken_until: null },
    ])
  })
})

describe('a change by another administrator', () => {
  const insertHookOf = async (owner_id: AccountId) => {
    const id = await insertTestWebhook(db, { active: false })
    await db.updateTable('webhook').set({ owner_id }).where('id', '=', id).execute()
    return id
  }

  test.each([
    { change: { url: 'https://93.184.215.14/in' }, owner: MARA.login },
    { change: { as_user: null }, owner: MARA.login },
    { change: { format: 'json', ordered: true }, owner: UMA.login },
  ])('with $change leaves the hook to $owner', async ({ change, owner }) => {
    const id = await insertHookOf(UMA.id)
    const { status, json } = await api.patch(`/webhooks/${id}`, { as: MARA, body: change })
    expect([status, json.owner.username]).toEqual([200, owner])
  })

  test('does not switch on a hook whose owner has no rights, unless it takes it over', async () => {
    const id = await insertHookOf(TOM.id)
    const change = (body: object) => api.patch(`/webhooks/${id}`, { as: MARA, body })
    expect(await change({ active: true })).toMatchObject({
      status: 400,
      json: { error: { details: { cause: 'owner_lost_rights' } } },
    })
    expect(await change({ active: false })).toMatchObject({ status: 200, json: { state: 'off' } })
    expect(await change({ active: true, as_user: null })).toMatchObject({ status: 200, json: { active: true } })
  })
})
