import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUGS, LOST_BUGS, ORCHARD, RUIN, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { refused, statusesOf } from '../../../test/harness/refused.ts'

const { api, context, clock } = await startWorld()
const { db } = context
let tracker: MadeTracker
let id: number

const remove = (artifact: number) => api.delete(`/artifacts/${artifact}`, { as: MARA })
const restore = (artifact: number, as = MARA, query = '') => api.post(`/artifacts/${artifact}/restore${query}`, { as })
const purge = (artifact: number, as = ADA, query = '') =>
  api.delete(`/artifacts/${artifact}?purge=true${query}`, { as })

beforeEach(async () => {
  tracker = await makeTestTracker(api, EVERY_FIELD)
  id = await makeTestArtifact(api, tracker, { summary: 'Pump leaks', points: 5, budget: 'canary' })
})

describe('the trash of a tracker', () => {
  const list = (query = '', as = MARA, headers = {}) =>
    api.get(`/trackers/${tracker.id}/trash?${query}`, { as, headers })

  test('lists deleted artifacts, latest first, with their purge date', async () => {
    const second = await makeTestArtifact(api, tracker, { summary: 'Second' })
    await remove(id)
    clock.advance(60_000)
    await remove(second)

    const { json, headers } = await list()
    expect(json).toEqual([
      expect.objectContaining({ id: second, title: 'Second' }),
      {
        id,
        xref: `delivery #${id}`,
        title: 'Pump leaks',
        deleted_by: expect.objectContaining({ id: MARA.id, username: 'mara', is_anonymous: false }),
        deleted_on: '2026-03-01T09:30:00+00:00',
        purge_on: '2026-03-31T09:30:00+00:00',
      },
    ])
    expect([headers['x-pagination-size'], headers['x-pagination-limit'], headers['x-pagination-limit-max']]).toEqual([
      '2',
      '10',
      '50',
    ])
    const first = await list('limit=1')
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    expect((await api.get(next, { as: MARA })).json).toMatchObject([{ id }])
    expect((await list('limit=1&offset=1')).json).toMatchObject([{ id }])
    expect((await list('', MARA, { accept: 'application/xml' })).text).toContain('<item><id>')
    expect(await list('limit=51')).toMatchObject(refused(400, 'parameter_out_of_range'))
  })

  test('has only artifacts of this tracker, and an anonymous user if it is unknown who deleted one', async () => {
    const elsewhere = await makeTestTracker(api, { ...EVERY_FIELD, item_name: 'return' })
    const other = await makeTestArtifact(api, elsewhere, { summary: 'Elsewhere' })
    await remove(other)
    await remove(id)
    await sql`update artifact set deleted_by = null where id = ${id}`.execute(db)
    expect((await list()).json).toMatchObject([{ id, deleted_by: { id: null, is_anonymous: true } }])
  })

  test('is for tracker administrators', async () => {
    expect(await list('', TOM)).toMatchObject(refused(403, 'permission_denied', { cause: 'not_tracker_admin' }))
    expect((await api.get(`/trackers/${BUGS}/trash`, { as: UMA })).status).toBe(200)
    expect((await api.get(`/trackers/${tracker.id}/trash`)).status).toBe(401)
    expect((await api.get('/trackers/999999/trash', { as: MARA })).status).toBe(404)
  })
})

describe('the trash of a project, and of the platform', () => {
  test('contain trackers and artifacts in one format', async () => {
    clock.advance(60_000)
    await remove(id)
    const { json } = await api.get(`/projects/${ORCHARD}/trash`, { as: MARA })
    expect(json[0]).toEqual({
      type: 'artifact',
      id,
      uri: `artifacts/${id}`,
      label: 'Pump leaks',
      project: { id: ORCHARD, label: 'Orchard' },
      deleted_by: { id: MARA.id, username: 'mara' },
      deleted_on: '2026-03-01T09:31:00+00:00',
      purge_on: '2026-03-31T09:31:00+00:00',
      restore_uri: `artifacts/${id}/restore`,
    })
    expect(json).toContainEqual(
      expect.objectContaining({
        type: 'tracker',
        id: LOST_BUGS,
        label: 'Lost',
        deleted_by: { id: TOM.id, username: 'tom' },
        restore_uri: `trackers/${LOST_BUGS}/restore`,
      }),
    )
    expect(await api.get(`/projects/${ORCHARD}/trash`, { as: TOM })).toMatchObject(refused(403, 'permission_denied'))
    expect((await api.get(`/projects/${VAULT}/trash`, { as: MARA })).status).toBe(404)
  })

  test('can be filtered by type, project and time, by site administrators', async () => {
    await remove(id)
    const list = async (query: string) => {
      const { json } = await api.get(`/trash?${query}`, { as: ADA })
      return json.map((each: { type: string; id: number }) => `${each.type} ${each.id}`)
    }
    expect(await list('')).toEqual(
      expect.arrayContaining([`artifact ${id}`, `tracker ${LOST_BUGS}`, `project ${RUIN}`]),
    )
    expect(await list('type=artifact')).toContain(`artifact ${id}`)
    expect(await list('type=artifact')).not.toContain(`tracker ${LOST_BUGS}`)
    expect(await list(`type=project`)).toEqual([`project ${RUIN}`])
    expect(await list('type=repository')).toEqual([])
    expect(await list(`project=${VAULT}`)).toEqual([])
    expect(await list('from=2026-03-02')).toEqual([])
    expect(await list('type=artifact&to=2026-03-02')).toContain(`artifact ${id}`)
    expect(await api.get('/trash?type=mail', { as: ADA })).toMatchObject(refused(400, 'parameter_not_allowed'))
    expect(await api.get('/trash', { as: MARA })).toMatchObject(refused(403, 'permission_denied'))
    expect((await api.get('/trash.xml?type=project', { as: ADA })).text).toContain(
      `<restore_uri>projects/${RUIN}/restoration</restore_uri>`,
    )
  })
})

describe('restoring an artifact', () => {
  test('returns it as it was, with a version that records the restoration', async () => {
    await api.put(`/artifacts/${id}`, {
      as: MARA,
      body: { values_by_field: { points: 8 }, comment: { body: 'Eight' } },
    })
    const { headers, json: before } = await api.get(`/artifacts/${id}`, { as: MARA })
    await remove(id)
    const answer = await restore(id)

    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ ...before, last_update_by: MARA.id, values: expect.anything() })
    expect(answer.headers.etag).not.toBe(headers.etag)
    const { json: versions } = await api.get(`/artifacts/${id}/changesets`, { as: MARA })
    expect(versions).toHaveLength(3)
    expect(versions[2]).toMatchObject({ version: 3, last_comment: { body: 'Restored from the trash.' } })
    expect((await api.get(`/trackers/${tracker.id}/artifacts`, { as: MARA })).headers['x-pagination-size']).toBe('1')
    expect(await audited(context, 'artifact.restore')).toMatchObject([{ object: `artifacts/${id}` }])
    expect((await api.get(`/trackers/${tracker.id}/trash`, { as: MARA })).json).toEqual([])
    expect(await restore(id)).toMatchObject(refused(404, 'not_found'))
  })

  test('is for tracker administrators; for others the artifact does not exist', async () => {
    expect(await restore(id, TOM)).toMatchObject(refused(403, 'permission_denied', { cause: 'not_tracker_admin' }))
    await remove(id)
    expect(await restore(id, TOM)).toMatchObject(refused(404, 'not_found'))
    expect(await restore(id, OLGA)).toMatchObject(refused(404, 'not_found'))
    expect((await api.post(`/artifacts/${id}/restore`)).status).toBe(401)
    expect((await restore(id, MARA, '?dry_run=true')).json.dry_run.would_answer.id).toBe(id)
    expect((await api.get(`/artifacts/${id}`, { as: MARA })).status).toBe(404)
  })

  test('succeeds for one of several concurrent callers', async () => {
    await remove(id)
    const answers = await Promise.all([restore(id), restore(id, ADA), restore(id)])
    expect(statusesOf(answers)).toEqual([200, 404, 404])
    const { rows } = await sql`select artifacts from tracker_counter where tracker_id = ${tracker.id}`.execute(db)
    expect(rows).toEqual([{ artifacts: 1 }])
  })

  test('requires its tracker, whose restoration returns only artifacts deleted with it', async () => {
    const other = await makeTestArtifact(api, tracker, { summary: 'Other' })
    await remove(id)
    await api.delete(`/trackers/${tracker.id}`, { as: MARA })
    expect(await restore(id)).toMatchObject(refused(404, 'not_found'))
    await api.post(`/trackers/${tracker.id}/restore`, { as: MARA })
    expect((await api.get(`/artifacts/${other}`, { as: MARA })).status).toBe(200)
    expect((await api.get(`/artifacts/${id}`, { as: MARA })).status).toBe(404)
    expect((await restore(id)).status).toBe(200)
  })
})

describe('purging an artifact manually', () => {
  test('removes it for good, and is recorded', async () => {
    await remove(id)
    expect((await purge(id, ADA, '&dry_run=true')).status).toBe(200)
    expect(await purge(id)).toMatchObject({ status: 200, text: '' })
    expect(await purge(id)).toMatchObject(refused(404, 'not_found'))
    expect(await restore(id)).toMatchObject(refused(404, 'not_found'))
    expect(await audited(context, 'artifact.purge')).toMatchObject([{ actor_id: ADA.id, object: `artifacts/${id}` }])
    const { rows } = await sql`select object from event where type = 'artifact.purged'`.execute(db)
    expect(rows).toEqual([{ object: `artifacts/${id}` }])
    expect((await makeTestArtifact(api, tracker, { summary: 'Next' })) > id).toBe(true)
  })

  test('is for site administrators, and only for artifacts in the trash', async () => {
    expect(await purge(id)).toMatchObject(refused(404, 'not_found'))
    expect(await purge(id, TOM)).toMatchObject(refused(403, 'permission_denied', { who_may: ['site_admin'] }))
    await remove(id)
    expect(await purge(id, MARA)).toMatchObject(refused(403, 'permission_denied'))
    expect(await purge(id, TOM)).toMatchObject(refused(404, 'not_found'))
    await api.delete(`/trackers/${tracker.id}`, { as: MARA })
    expect((await purge(id)).status).toBe(200)
  })
})
