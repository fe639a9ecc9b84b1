import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import { seedTestArtifacts } from '../../../test/fixtures/seed-artifacts.ts'
import { MARSH, NURSERY, ORCHARD, RUIN, VAULT } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api, context } = await startWorld()

const remove = (id: number = ORCHARD, as: TestPerson = MARA, query = '') =>
  api.delete(`/projects/${id}${query}`, { as })
const restore = (id: number = ORCHARD, as: TestPerson = MARA) => api.post(`/projects/${id}/restoration`, { as })
const statusFor = async (as: TestPerson | undefined, id: number = ORCHARD) =>
  (await api.get(`/projects/${id}`, as && { as })).status
const listDeleted = async (as: TestPerson) => {
  const { json } = await api.get(`/projects?query=${encodeURIComponent('{"with_status":"deleted"}')}`, { as })
  return json.map(({ id }: { id: number }) => id)
}

describe('DELETE /projects/{id}', () => {
  test('hides the project from everyone at once, and lists it for those who may restore it', async () => {
    expect(await remove()).toMatchObject({ status: 200, text: '' })
    for (const person of [OLGA, TOM, UMA, MARA, ADA]) expect(await statusFor(person)).toBe(404)
    expect(await statusFor(undefined)).toBe(401)
    expect(await listDeleted(MARA)).toEqual([ORCHARD, RUIN])
    expect(await listDeleted(ADA)).toEqual([ORCHARD, RUIN])
    for (const person of [OLGA, TOM, UMA, VICTOR]) expect(await listDeleted(person)).toEqual([])
    expect(await remove()).toMatchObject(refused(404, 'not_found'))
    const { json } = await api.get('/trash?type=project', { as: ADA })
    expect(json[0]).toMatchObject({
      type: 'project',
      id: ORCHARD,
      label: 'Orchard',
      deleted_by: { id: MARA.id, username: MARA.login },
      deleted_on: '2026-03-01T09:30:00+00:00',
      purge_on: '2026-03-31T09:30:00+00:00',
      restore_uri: `projects/${ORCHARD}/restoration`,
    })
  })

  test('counts what it takes, in a dry run and in the audit log', async () => {
    await seedTestArtifacts(context.db)
    const { rows } = await sql<Record<string, number>>`
      select (select count(*) from tracker where project_id = ${ORCHARD} and deleted_on is null) as trackers,
        (select count(*) from artifact join tracker on tracker.id = artifact.tracker_id
          where artifact.project_id = ${ORCHARD} and tracker.deleted_on is null and artifact.deleted_on is null) as artifacts,
        (select count(*) from artifact_file where project_id = ${ORCHARD}) as files,
        (select count(*) from webhook where project_id = ${ORCHARD}) as webhooks`.execute(context.db)
    const { json } = await remove(ORCHARD, MARA, '?dry_run=true')
    const [change] = json.dry_run.changes
    expect(change).toMatchObject({ object: `projects/${ORCHARD}`, op: 'delete' })
    const counts = Object.fromEntries(
      change.fields.map(({ name, before }: { name: string; before: unknown }) => [name, before]),
    )
    expect(counts).toEqual({
      shortname: 'orchard',
      label: 'Orchard',
      status: 'active',
      ...rows[0],
      bytes: expect.any(Number),
      repositories: 1,
      members: 4,
      user_groups: 2,
    })
    expect(await statusFor(TOM)).toBe(200)
    await remove()
    expect(await audited(context, 'project.delete')).toMatchObject([
      { actor_id: MARA.id, object: `projects/${ORCHARD}`, project_id: ORCHARD, before: counts },
    ])
  })

  test('honours If-Match', async () => {
    const { headers } = await api.get(`/projects/${ORCHARD}`, { as: MARA })
    await api.patch(`/projects/${ORCHARD}`, { as: MARA, body: { label: 'Grove' } })
    const conditional = api.delete(`/projects/${ORCHARD}`, { as: MARA, headers: { 'if-match': String(headers.etag) } })
    expect(await conditional).toMatchObject(refused(412, 'version_mismatch'))
  })

  test.each([
    { who: TOM, id: ORCHARD, status: 403, reason: 'permission_denied' },
    { who: UMA, id: ORCHARD, status: 403, reason: 'permission_denied' },
    { who: OLGA, id: ORCHARD, status: 403, reason: 'permission_denied' },
    { who: OLGA, id: VAULT, status: 404, reason: 'not_found' },
    { who: MARA, id: MARSH, status: 404, reason: 'project_suspended' },
    { who: MARA, id: RUIN, status: 404, reason: 'not_found' },
    { who: ADA, id: RUIN, status: 404, reason: 'not_found' },
    { who: ADA, id: 100, status: 403, reason: 'project_protected' },
  ])('is refused to $who.login on $id with $reason', async ({ who, id, status, reason }) => {
    expect(await remove(id, who)).toMatchObject(refused(status, reason))
  })

  test('is for site administrators too, and in every status', async () => {
    await api.patch(`/projects/${NURSERY}`, { as: MARA, body: { status: 'archived' } })
    for (const [id, status] of [
      [MARSH, 'suspended'],
      [VAULT, 'active'],
      [NURSERY, 'archived'],
    ] as const) {
      expect((await remove(id, ADA)).status).toBe(200)
      expect((await restore(id, ADA)).json).toMatchObject({ id, status })
    }
  })

  test('keeps the short name taken', async () => {
    await remove()
    const body = { shortname: 'Orchard', label: 'Orchard', is_public: true, template_id: 100 }
    expect(await api.post('/projects', { as: MARA, body })).toMatchObject(refused(400, 'name_taken'))
  })
})

describe('POST /projects/{id}/restoration', () => {
  test('brings the project back, with audit rows and events', async () => {
    const before = (await api.get(`/projects/${ORCHARD}`, { as: MARA })).json
    await remove()
    const { status, json, headers } = await restore()
    expect({ status, json }).toEqual({ status: 200, json: before })
    expect((await api.get(`/projects/${ORCHARD}`, { as: MARA })).headers.etag).toBe(headers.etag)
    expect([await statusFor(undefined), await statusFor(TOM)]).toEqual([200, 200])
    expect(await listDeleted(MARA)).toEqual([RUIN])
    expect(await audited(context, 'project.restore')).toMatchObject([
      { object: `projects/${ORCHARD}`, before: { status: 'deleted' }, after: { status: 'active' } },
    ])
    const events = await context.db.selectFrom('event').select('type').orderBy('id').execute()
    expect(events.map(({ type }) => type)).toEqual([
      'project.changed',
      'rights.changed',
      'project.changed',
      'rights.changed',
    ])
  })

  test.each([
    { who: TOM, id: RUIN, status: 404, reason: 'not_found' },
    { who: OLGA, id: RUIN, status: 404, reason: 'not_found' },
    { who: VICTOR, id: RUIN, status: 404, reason: 'not_found' },
    { who: TOM, id: ORCHARD, status: 403, reason: 'permission_denied' },
    { who: MARA, id: ORCHARD, status: 404, reason: 'not_found' },
    { who: OLGA, id: VAULT, status: 404, reason: 'not_found' },
    { who: ADA, id: 2999, status: 404, reason: 'not_found' },
  ])('is refused to $who.login on $id with $reason', async ({ who, id, status, reason }) => {
    expect(await restore(id, who)).toMatchObject(refused(status, reason))
  })

  test('is refused to anonymous callers', async () => {
    expect((await api.post(`/projects/${RUIN}/restoration`)).status).toBe(401)
  })

  test('reports only in a dry run', async () => {
    await remove()
    const { json } = await api.post(`/projects/${ORCHARD}/restoration?dry_run=true`, { as: MARA })
    expect(json.dry_run).toMatchObject({
      status: 200,
      changes: [{ op: 'update', fields: [{ name: 'status', before: 'deleted', after: 'active' }] }],
    })
    expect(await statusFor(MARA)).toBe(404)
  })

  test('needs a purge that has not begun', async () => {
    await remove()
    await sql`update project set purge_begun_on = now() where id = ${ORCHARD}`.execute(context.db)
    for (const person of [MARA, ADA]) {
      expect(await restore(ORCHARD, person)).toMatchObject(refused(404, 'not_found'))
      expect(await listDeleted(person)).toEqual([RUIN])
    }
    expect((await api.get('/trash?type=project', { as: ADA })).text).not.toContain('Orchard')
  })

  test('a limited key restores its own projects only', async () => {
    await sql`update access_key set projects = array[${ORCHARD}::bigint] where id = ${MARA.key_id}`.execute(context.db)
    await remove()
    expect(await listDeleted(MARA)).toEqual([ORCHARD])
    expect(await restore(RUIN)).toMatchObject(refused(404, 'not_found'))
    expect((await restore()).status).toBe(200)
  })
})
