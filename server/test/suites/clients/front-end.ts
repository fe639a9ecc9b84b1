import { Type } from 'typebox'
import type { Needs, ClientVisit } from './visit.ts'
import * as shapes from './shapes.ts'

/** The original's own pages: a cookie, `/api/v1`, and the size header on every list. */
export async function visitAsFrontEnd({ world, call }: ClientVisit): Promise<void> {
  const { bugs, projectId: project } = world
  const login = { username: world.username, password: world.password }
  const { headers: answered } = await call(
    { method: 'POST', path: '/api/session', headers: {}, json: login },
    { status: 201, headers: { 'Set-Cookie': /HttpOnly/i } },
  )
  const headers = { Cookie: answered.getSetCookie()[0]?.split(';')[0] ?? '', 'Sec-Fetch-Site': 'same-origin' }
  const get = (path: string, needs: Needs = {}) => call({ method: 'GET', path: `/api/v1/${path}`, headers }, needs)
  const send = (method: string, path: string, json: object, needs: Needs = {}) =>
    call({ method, path: `/api/v1/${path}`, headers, json }, needs)
  const page = { members: Type.Array(Type.Object({})), headers: shapes.SIZE_HEADER }

  await get('projects?limit=50&offset=0', page)
  await get(`trackers/${bugs.id}/artifacts?values=all&limit=1&offset=1`, {
    ...page,
    also: ({ json }) => (json.length === 1 ? undefined : 'the page is not full'),
  })
  await get(`artifacts/${world.first}/linked_artifacts?direction=forward&nature=&limit=50&offset=0`, {
    members: shapes.LinkedArtifactsShape,
    headers: shapes.SIZE_HEADER,
  })
  await get('users/self', { members: shapes.UserShape })
  await get(`users?query=${world.username}`, page)
  await get(`users/${world.userId}/preferences?key=x`, { members: Type.Object({ key: shapes.TextShape }) })
  await get(`projects/${project}/trackers/?limit=50&offset=0`, page)
  await get(`trackers/${bugs.id}`, { members: shapes.TrackerStructureShape })
  await get(`trackers/${bugs.id}/parent_artifacts?limit=50&offset=0`, page)
  await get(`artifacts/${world.first}/links`, { members: Type.Object({ natures: Type.Array(Type.Object({})) }) })
  await get(`artifacts/${world.first}/changesets?limit=50&offset=0`, {
    members: shapes.ChangesetsShape,
    headers: shapes.SIZE_HEADER,
  })
  await get(`user_groups/${project}_3/users?limit=50&offset=0`, page)
  await send('POST', `projects/${project}/extract_references`, { text: `art #${world.first}` })

  const read = await get(`artifacts/${world.second}`, {
    members: shapes.ArtifactWithValuesShape,
    headers: { Etag: /./, 'Last-Modified': /GMT$/ },
  })
  const conditions = {
    'If-Unmodified-Since': read.headers.get('Last-Modified') ?? '',
    'If-match': read.headers.get('Etag') ?? '',
  }
  const put = (condition: Record<string, string>, needs: Needs) =>
    call(
      {
        method: 'PUT',
        path: `/api/v1/artifacts/${world.second}`,
        headers: { ...headers, ...condition },
        json: { values: [{ field_id: bugs.fields['points'], value: 5 }] },
      },
      needs,
    )
  await put(conditions, { members: shapes.CreatedShape })
  await put({ 'If-match': conditions['If-match'] }, { status: 412, members: shapes.ErrorShape })
  const all_links = [{ id: world.first, direction: 'forward', type: '' }]
  await send('PUT', `artifacts/${world.second}`, { values: [{ field_id: bugs.fields['links'], all_links }] })
  const { json: made } = await send(
    'POST',
    'artifacts',
    { tracker: { id: bugs.id }, values: [{ field_id: bugs.fields['summary'], value: 'From the dialog' }] },
    { status: 201, members: shapes.CreatedShape },
  )
  await call({ method: 'HEAD', path: `/api/v1/artifacts/${made.id}`, headers }, {})
  await call({ method: 'OPTIONS', path: `/api/v1/artifacts/${made.id}`, headers }, {})
  await call({ method: 'DELETE', path: `/api/v1/artifacts/${made.id}`, headers }, {})
  await get(`artifacts/${made.id}`, { status: 404, members: shapes.ErrorShape })
}
