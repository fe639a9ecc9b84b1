import { describe, expect, test } from 'vitest'
import { audited } from '../../test/harness/audited.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, TOM, UMA } from '../../test/fixtures/people.ts'
import { BUGS, LEDGER, LOST_BUGS, MARSH_BUGS, ORCHARD, SAFE } from '../../test/fixtures/seed-ids.ts'
import { recordedEvents } from '../../test/harness/recorded-events.ts'

const { api, context, clock, startAnother } = await startWorld()
const another = await startAnother()

describe('DELETE /trackers/{id}', () => {
  test('moves the tracker to the trash: no one can find it any more', async () => {
    expect((await another.api.get(`/trackers/${BUGS}`, { as: TOM })).status).toBe(200)
    const { status, text } = await api.delete(`/trackers/${BUGS}`, { as: MARA })

    expect({ status, text }).toEqual({ status: 200, text: '' })
    for (const as of [TOM, MARA, ADA]) {
      expect((await another.api.get(`/trackers/${BUGS}`, { as })).status).toBe(404)
      expect((await api.get(`/trackers/${BUGS}/definition`, { as })).status).toBe(404)
    }
    expect((await api.delete(`/trackers/${BUGS}`, { as: MARA })).status).toBe(404)
    const row = await context.db
      .selectFrom('tracker')
      .select(['deleted_by', 'deleted_on'])
      .where('id', '=', BUGS)
      .executeTakeFirst()
    expect(row).toEqual({ deleted_by: MARA.id, deleted_on: clock.now() })
  })

  test('frees its name', async () => {
    await api.delete(`/trackers/${BUGS}`, { as: MARA })
    const body = { label: 'New bugs', item_name: 'bug' }

    expect((await api.post(`/projects/${ORCHARD}/trackers`, { as: MARA, body })).status).toBe(201)
  })

  test('is recorded in the audit log and the feed', async () => {
    await api.delete(`/trackers/${BUGS}`, { as: MARA })

    expect(await audited(context, 'tracker.delete')).toMatchObject([
      {
        actor_id: MARA.id,
        object: `trackers/${BUGS}`,
        project_id: ORCHARD,
        before: { item_name: 'bug', label: 'Bugs' },
      },
    ])
    expect(await recordedEvents(context, 'tracker.deleted')).toMatchObject([
      { object: `trackers/${BUGS}`, project_id: ORCHARD, payload: { tracker_id: BUGS } },
    ])
    expect(await recordedEvents(context, 'rights.changed')).toMatchObject([{ payload: { tracker_id: BUGS } }])
  })

  test.each([
    { who: undefined, id: BUGS, status: 401, reason: 'authentication_required' },
    { who: TOM, id: BUGS, status: 403, reason: 'permission_denied' },
    { who: GUS, id: BUGS, status: 403, reason: 'permission_denied' },
    { who: UMA, id: LEDGER, status: 403, reason: 'permission_denied' },
    { who: OLGA, id: LEDGER, status: 404, reason: 'not_found' },
    { who: MARA, id: SAFE, status: 404, reason: 'not_found' },
    { who: MARA, id: LOST_BUGS, status: 404, reason: 'not_found' },
    { who: MARA, id: MARSH_BUGS, status: 404, reason: 'project_suspended' },
    { who: ADA, id: MARSH_BUGS, status: 400, reason: 'rule_violated' },
  ])('refuses $who.login at $id with $reason', async ({ who, id, status, reason }) => {
    const answer = await api.delete(`/trackers/${id}`, who && { as: who })

    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
  })

  test('documents the required permission', async () => {
    const { json } = await api.delete(`/trackers/${BUGS}`, { as: GUS })
    expect(json.error.details).toEqual({ who_may: ['project_admin'], cause: 'not_project_admin' })
  })

  test('deletes nothing in a dry run', async () => {
    const { json } = await api.delete(`/trackers/${BUGS}?dry_run=true`, { as: MARA })

    expect(json.dry_run).toMatchObject({ status: 200, changes: [{ object: `trackers/${BUGS}`, op: 'delete' }] })
    expect((await api.get(`/trackers/${BUGS}`)).status).toBe(200)
  })

  test('succeeds for one of two concurrent requests', async () => {
    const answers = await Promise.all([api, another.api].map((each) => each.delete(`/trackers/${BUGS}`, { as: MARA })))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404])
  })
})
