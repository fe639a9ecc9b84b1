import { describe, expect, test } from 'vitest'
import type { Route } from '../../src/platform/http/route.ts'
import { ROUTES } from '../../src/routes.ts'
import { basic, type Response } from '../harness/client.ts'
import { pollEventsAfter, currentFeedCursor } from '../harness/event-stream.ts'
import { settleFeed } from '../harness/settle-feed.ts'
import { startWorld } from '../harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, VICTOR } from '../fixtures/people.ts'
import { BUGS, NURSERY, OPEN_BUG, ORCHARD, QUARRY, VAULT } from '../fixtures/seed-ids.ts'
import { masked, refused } from '../harness/refused.ts'
import type { PermissionRow } from '../fixtures/permission-rules.ts'
import { RIGHTS } from '../fixtures/rights.ts'
import { seedTestArtifacts } from '../fixtures/seed-artifacts.ts'
import { putSeededOnDisk } from '../fixtures/seeded-on-disk.ts'
import type { State } from '../fixtures/subjects.ts'

const { api, context } = await startWorld({ seedOnce: true })
await seedTestArtifacts(context.db)
await putSeededOnDisk(context.config)

const ALL = ['write:rest', 'write:account']
const REFUSED = refused(401, 'credentials_projects')
const elsewhere = await limitedKey(MARA, [NURSERY])
const routes = ROUTES.filter(({ access }) => access !== 'no_credentials').flatMap((route) => {
  const row = RIGHTS[route.operationId]
  return row ? [{ route, row, name: route.operationId }] : []
})

describe('a key that is limited to another project', () => {
  test.each(routes)('K09 finds nothing of this one by $name', async ({ route, row }) => {
    expect(await findLeaks(route, row)).toEqual([])
  })
})

describe('a key that is limited to projects', () => {
  test('reads and writes there with the permissions of its owner', async () => {
    const headers = await limitedKey(MARA, [ORCHARD, NURSERY])

    expect((await api.get(`/projects/${ORCHARD}`, { headers, reader: MARA })).status).toBe(200)
    expect((await api.get(`/trackers/${BUGS}/artifacts`, { headers, reader: MARA })).json.length).toBeGreaterThan(0)
    const body = { comment: { body: 'By key', format: 'text' } }
    expect((await api.put(`/artifacts/${OPEN_BUG}`, { headers, reader: MARA, body })).status).toBe(200)
    const banner = { message: 'Harvest' }
    expect((await api.put(`/projects/${ORCHARD}/banner`, { headers, body: banner })).status).toBe(200)
    const projects = await api.get('/projects', { headers, reader: MARA })
    expect(projects.json.map(({ id }: { id: number }) => id)).toEqual([ORCHARD, NURSERY])
    expect(projects.headers['x-pagination-size']).toBe('2')
  })

  test('K10 can access only the own profile, the members of the projects, and itself', async () => {
    const headers = await limitedKey(TOM, [ORCHARD])

    expect((await api.get('/users/self', { headers, reader: TOM })).json.id).toBe(TOM.id)
    expect((await api.get('/access_keys/self', { headers })).json.projects).toEqual([ORCHARD])
    expect((await api.get(`/access_keys/${TOM.key_id}`, { headers })).status).toBe(404)
    expect((await api.get(`/users/${MARA.id}`, { headers, reader: TOM })).status).toBe(200)
    expect((await api.get(`/users/${OLGA.id}`, { headers })).status).toBe(404)
    for (const path of ['/users/self/access_keys', '/users/self/membership', '/users/self/sessions', '/notifications'])
      expect(await api.get(path, { headers })).toMatchObject(REFUSED)
    expect(await api.patch('/users/self', { headers, body: { email: 'x@waypost.example' } })).toMatchObject(REFUSED)
  })

  test('K11 creates no key, no project and no webhook, not even by a definition', async () => {
    const headers = await limitedKey(MARA, [ORCHARD])
    const url = 'https://hooks.example/here'
    const { json: definition } = await api.get(`/trackers/${BUGS}/definition`, { headers, reader: MARA })

    expect(await api.post('/access_keys', { headers, body: { projects: [ORCHARD] } })).toMatchObject(REFUSED)
    const project = { shortname: 'meadow', label: 'Meadow', is_public: true, template_id: 100 }
    expect(await api.post('/projects', { headers, body: project })).toMatchObject(REFUSED)
    expect(await api.post(`/trackers/${BUGS}/webhooks`, { headers, body: { url } })).toMatchObject(REFUSED)
    const webhooks = [...(definition.webhooks ?? []), { url }]
    const put = await api.put(`/trackers/${BUGS}/definition`, { headers, body: { ...definition, webhooks } })
    expect(put).toMatchObject(REFUSED)
  })

  test('K12 of a site administrator does not administer the site', async () => {
    const headers = await limitedKey(ADA, [ORCHARD])

    expect((await api.get(`/projects/${ORCHARD}`, { headers, reader: OLGA })).status).toBe(200)
    expect(await api.get('/settings', { headers })).toMatchObject(REFUSED)
    expect(await api.put(`/projects/${ORCHARD}/banner`, { headers, body: { message: 'x' } })).toMatchObject(
      refused(403, 'permission_denied'),
    )
    expect(await api.get(`/projects/${VAULT}`, { headers })).toMatchObject(refused(404, 'not_found'))
    expect(await api.post('/access_keys', { headers: basic(ADA), body: { projects: [VAULT] } })).toMatchObject(
      refused(400, 'reference_unknown', { path: 'projects[0]' }),
    )
  })

  test('K13 reads the feed of these projects only', async () => {
    const headers = await limitedKey(VICTOR, [QUARRY])
    await settleFeed(context) // Events of earlier tests would come after the cursor.
    const start = await currentFeedCursor(api)
    for (const id of [VAULT, QUARRY])
      await api.put(`/projects/${id}/banner`, { as: VICTOR, body: { message: 'Closed' } })

    const all = await pollEventsAfter(api, start, (events) => events.length >= 2, { as: VICTOR })
    const { json } = await api.get(`/events?after=${start}`, { headers, reader: VICTOR })

    expect(all.map(({ project }) => project)).toEqual([{ id: VAULT }, { id: QUARRY }])
    expect(json.events.map(({ project }: { project: unknown }) => project)).toEqual([{ id: QUARRY }])
  })

  test('K14 can be created only for projects that its owner may enter', async () => {
    const make = (projects: unknown) => api.post('/access_keys', { headers: basic(TOM), body: { projects } })

    expect(await make([ORCHARD, VAULT])).toMatchObject(refused(400, 'reference_unknown', { path: 'projects[1]' }))
    expect(await make([99_999])).toMatchObject(refused(400, 'reference_unknown', { path: 'projects[0]' }))
    expect((await make([])).status).toBe(400)
    expect((await make(null)).status).toBe(201)
  })
})

async function limitedKey(person: TestPerson, projects: readonly number[]) {
  const { status, json } = await api.post('/access_keys', { headers: basic(person), body: { projects, scopes: ALL } })
  if (status !== 201) throw new Error(JSON.stringify(json))
  return { 'x-auth-accesskey': String(json.identifier) }
}

/** Differences to the response for an absent object, or traces of the project in a list. */
async function findLeaks(route: Route, row: PermissionRow): Promise<string[]> {
  const answer = await ask(route, row, 'T1')
  if (answer.status === 401 && answer.json.error.reason === 'credentials_projects') return []
  const [named, absent] = (['T1', 'T7'] as const).map((state) => JSON.stringify(row.subject.params(state, 'P7')))
  const isList = named === absent || row.subject.unknown !== undefined
  const hidden = isList ? answer : await ask(route, row, 'T7')
  const isSuccess = answer.status < 400
  return [
    ...(/orchard|pump/i.test(answer.text) ? [`it tells ${answer.text}`] : []),
    ...(isSuccess && (route.writes || !isList) ? [`it answers ${answer.status}`] : []),
    ...(hidden.status !== answer.status || masked(hidden) !== masked(answer) ? [`absent differs: ${answer.text}`] : []),
  ]
}

async function ask(route: Route, row: PermissionRow, state: State): Promise<Response> {
  const params = row.subject.params(state, 'P7')
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]))
  const query = [row.query, route.writes && 'dry_run=true'].filter(Boolean).join('&')
  const isStream = row.formats?.includes('stream') === true
  return api.request(isStream ? 'HEAD' : route.method, `${path}?${query}`, {
    headers: { ...elsewhere, accept: isStream ? 'text/event-stream' : 'application/json' },
    reader: OLGA,
    ...(row.body !== undefined && { body: row.body }),
  })
}
