import { describe, expect, test } from 'vitest'
import { audited } from '../../test/harness/audited.ts'
import { startWorld } from '../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, TOM } from '../../test/fixtures/people.ts'
import { BUGS, LEDGER, LOST_BUGS, MARSH_BUGS, ORCHARD, SAFE } from '../../test/fixtures/seed-ids.ts'
import { recordedEvents } from '../../test/harness/recorded-events.ts'

const { api, context } = await startWorld()
const restore = (id: number, options: { as?: typeof MARA; body?: unknown } = {}, query = '') =>
  api.post(`/trackers/${id}/restore${query}`, { as: MARA, ...options })

describe('POST /trackers/{id}/restore', () => {
  test('restores the tracker from the trash, and returns it in full', async () => {
    const { status, headers, json } = await restore(LOST_BUGS)

    expect(status).toBe(200)
    expect(headers.etag).toBeDefined()
    expect(json).toMatchObject({ id: LOST_BUGS, item_name: 'lost', project: { id: ORCHARD } })
    expect((await api.get(`/trackers/${LOST_BUGS}`)).status).toBe(200)
    expect((await restore(LOST_BUGS)).status).toBe(404)
  })

  test('restores the tracker unchanged', async () => {
    const { json: before } = await api.get(`/trackers/${BUGS}`, { as: TOM })
    await api.delete(`/trackers/${BUGS}`, { as: MARA })
    await restore(BUGS)

    expect((await api.get(`/trackers/${BUGS}`, { as: TOM })).json).toEqual(before)
  })

  test('is recorded in the audit log and the feed', async () => {
    await restore(LOST_BUGS, { body: { item_name: 'found' } })

    expect(await audited(context, 'tracker.restore')).toMatchObject([
      {
        actor_id: MARA.id,
        object: `trackers/${LOST_BUGS}`,
        before: { item_name: 'lost' },
        after: { item_name: 'found' },
      },
    ])
    expect(await recordedEvents(context, 'tracker.restored')).toMatchObject([
      { object: `trackers/${LOST_BUGS}`, project_id: ORCHARD, payload: { tracker_id: LOST_BUGS } },
    ])
  })

  test('requires a new name if the old one is taken', async () => {
    await api.post(`/projects/${ORCHARD}/trackers`, { as: MARA, body: { label: 'New', item_name: 'Lost' } })
    const taken = await restore(LOST_BUGS)
    const invalid = await restore(LOST_BUGS, { body: { item_name: 'l o s t' } })
    const renamed = await restore(LOST_BUGS, { body: { item_name: 'lost2' } })

    expect(taken.json.error).toMatchObject({ code: 400, reason: 'name_taken', details: { path: 'item_name' } })
    expect(invalid.json.error).toMatchObject({ code: 400, reason: 'name_invalid', details: { path: 'item_name' } })
    expect(renamed).toMatchObject({ status: 200, json: { item_name: 'lost2' } })
  })

  test.each([
    { who: undefined, id: LOST_BUGS, status: 401, reason: 'authentication_required' },
    { who: TOM, id: LOST_BUGS, status: 404, reason: 'not_found' },
    { who: GUS, id: LOST_BUGS, status: 404, reason: 'not_found' },
    { who: TOM, id: BUGS, status: 403, reason: 'permission_denied' },
    { who: OLGA, id: LEDGER, status: 404, reason: 'not_found' },
    { who: MARA, id: BUGS, status: 404, reason: 'not_found' },
    { who: MARA, id: SAFE, status: 404, reason: 'not_found' },
    { who: ADA, id: 999_999, status: 404, reason: 'not_found' },
  ])('refuses $who.login at $id with $reason', async ({ who, id, status, reason }) => {
    const answer = await api.post(`/trackers/${id}/restore`, who && { as: who })

    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
  })

  test('refuses to restore in a suspended project', async () => {
    await context.db.updateTable('tracker').set({ deleted_on: new Date() }).where('id', '=', MARSH_BUGS).execute()
    const { status, json } = await restore(MARSH_BUGS, { as: ADA })

    expect(status).toBe(400)
    expect(json.error.details.cause).toBe('project_not_active')
  })

  test('restores nothing in a dry run', async () => {
    const { json } = await restore(LOST_BUGS, {}, '?dry_run=true')

    expect(json.dry_run).toMatchObject({ status: 200, would_answer: { id: LOST_BUGS } })
    expect((await api.get(`/trackers/${LOST_BUGS}`)).status).toBe(401)
  })

  test('accepts and returns XML', async () => {
    const { status, text } = await api.post(`/trackers/${LOST_BUGS}/restore.xml`, {
      as: MARA,
      body: '<request><item_name>found</item_name></request>',
      headers: { 'content-type': 'application/xml' },
    })

    expect(status).toBe(200)
    expect(text).toContain('<item_name>found</item_name>')
  })
})
