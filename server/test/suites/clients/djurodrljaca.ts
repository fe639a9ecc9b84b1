import { Type } from 'typebox'
import type { Needs, ClientVisit } from './visit.ts'
import * as shapes from './shapes.ts'

/**
 * The Python library that three others build on. It accepts 200 or 201 for create and update, and only 200 for delete.
 */
export async function visitWithToken(visit: ClientVisit): Promise<void> {
  const { world, call } = visit
  // It signs in with a form, and expects 200.
  const form = new URLSearchParams({ username: world.username, password: world.password })
  const { json } = await call(
    {
      method: 'POST',
      path: '/api/tokens',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      bytes: form.toString(),
    },
    { members: Type.Object({ user_id: Type.Union([shapes.TextShape, shapes.IntegerShape]), token: shapes.TextShape }) },
  )
  const headers = { 'X-Auth-Token': String(json.token), 'X-Auth-UserId': String(json.user_id) }
  await visitEverything(visit, headers)
  await call({ method: 'DELETE', path: `/api/tokens/${json.token}`, headers }, {})
  await call({ method: 'GET', path: `/api/projects/${world.projectId}`, headers }, { status: 401 })
}

export async function visitWithKey(visit: ClientVisit): Promise<void> {
  const headers = { 'X-Auth-AccessKey': visit.world.key }
  await visitEverything(visit, headers)
  // It has no token, and reports that.
  await visit.call({ method: 'DELETE', path: '/api/tokens/', headers }, {})
}

/** A fork with its own graph walk: one artifact at a time, by key. It drops links without a type. */
export async function visitAsReferencesGraph({ world, call }: ClientVisit): Promise<void> {
  const headers = { 'X-Auth-AccessKey': world.key }
  await call({ method: 'GET', path: '/api/git/1', headers }, { status: 404, members: shapes.ErrorShape })
  for (const id of [world.first, world.second])
    await call(
      { method: 'GET', path: `/api/artifacts/${id}?values_format=all&tracker_structure_format=minimal`, headers },
      { members: shapes.ArtifactWithValuesShape },
    )
  await call(
    { method: 'GET', path: `/api/trackers/${world.bugs.id}/artifacts?limit=1000&offset=0&order=asc`, headers },
    { members: Type.Array(Type.Object({ xref: shapes.TextShape }), { minItems: 2 }) },
  )
}

async function visitEverything({ world, call }: ClientVisit, headers: Record<string, string>): Promise<void> {
  const { bugs, projectId: project } = world
  const get = (path: string, needs: Needs = {}) => call({ method: 'GET', path: `/api${path}`, headers }, needs)
  const send = (method: string, path: string, json: object, needs: Needs = {}) =>
    call({ method, path: `/api${path}`, headers, json }, needs)
  const list = { members: Type.Array(Type.Object({})), headers: shapes.PAGE_HEADERS }

  await get('/projects?limit=10', { members: Type.Array(shapes.ProjectShape), headers: shapes.PAGE_HEADERS })
  await get(`/projects/${project}`, { members: shapes.ProjectShape })
  await get(`/projects?query=${encodeURIComponent(`{"shortname":"${world.shortname}"}`)}`, {
    members: Type.Array(shapes.ProjectShape, { minItems: 1, maxItems: 1 }),
  })
  for (const part of ['backlog?limit=10', 'milestones?order=asc&limit=10', 'plannings?limit=10'])
    await get(`/projects/${project}/${part}`, list)
  await get(`/projects/${project}/git?fields=basic&limit=10`, {
    members: shapes.RepositoriesShape,
    headers: shapes.PAGE_HEADERS,
  })
  await get(`/projects/${project}/trackers?limit=10`, { ...list, members: Type.Array(shapes.TrackerShape) })
  await get(`/projects/${project}/user_groups?limit=10`, list)

  await get(`/trackers/${bugs.id}`, { members: shapes.TrackerStructureShape })
  const status = encodeURIComponent(`{"status": [${bugs.statuses['New']}]}`)
  for (const more of ['', `&query=${status}`, `&expert_query=${encodeURIComponent("summary = 'handle'")}`])
    await get(`/trackers/${bugs.id}/artifacts?limit=10${more}&order=asc`, {
      members: Type.Array(shapes.ArtifactShape, { minItems: 1 }),
      headers: shapes.PAGE_HEADERS,
    })
  await get(`/trackers/${bugs.id}/tracker_reports?limit=10`, list)
  await get(`/tracker_reports/${world.reportId}`, { members: shapes.CreatedShape })
  await get(`/tracker_reports/${world.reportId}/artifacts?values=&limit=10`, list)

  const { json: second } = await get(`/artifacts/${world.second}?values_format=all&tracker_structure_format=minimal`, {
    members: shapes.ArtifactWithValuesShape,
  })
  await get(`/artifacts/${world.first}/changesets?fields=all&limit=10`, {
    members: shapes.ChangesetsShape,
    headers: shapes.PAGE_HEADERS,
  })
  const made = { status: 201, members: shapes.CreatedShape }
  const tracker = { id: bugs.id }
  await send('POST', '/artifacts', { tracker, values_by_field: { summary: { value: 'By field' } } }, made)
  await send('POST', '/artifacts', { tracker, values: [{ field_id: bugs.fields['summary'], value: 'Value' }] }, made)
  await send('POST', '/artifacts', { tracker, from_artifact: { id: world.first } }, made)
  // It sends back what it has read, including read-only members.
  const read = second.values.filter(({ label }: { label: string }) => label === 'Summary')
  await send('PUT', `/artifacts/${world.second}`, { values: read }, { members: shapes.CreatedShape })

  const chunk = (text: string) => Buffer.from(text).toString('base64')
  const { json: file } = await send(
    'POST',
    '/artifact_temporary_files',
    { name: 'x.txt', mimetype: 'text/plain', content: chunk('hello '), description: '' },
    made,
  )
  await send(
    'PUT',
    `/artifact_temporary_files/${file.id}`,
    { content: chunk('world'), offset: 2 },
    { members: Type.Object({ id: shapes.IntegerShape, size: Type.Literal(11) }) },
  )
  await get('/artifact_temporary_files?limit=10', {
    ...list,
    headers: { ...shapes.SIZE_HEADER, 'X-QUOTA': /^\d+$/, 'X-UPLOAD-MAX-FILE-CHUNKSIZE': /^\d+$/ },
  })
  await call({ method: 'DELETE', path: `/api/artifact_temporary_files/${file.id}`, headers }, {})
  await get(`/artifact_files/${world.fileId}?limit=1048576`, { members: Type.Object({ data: shapes.TextShape }) })

  const group = `${project}_3`
  await get(`/user_groups/${group}`, { members: Type.Object({ id: shapes.TextShape, short_name: shapes.TextShape }) })
  await get(`/user_groups/${group}/users`, { members: Type.Array(shapes.UserShape, { minItems: 1 }) })
  await send('PUT', `/user_groups/${group}/users`, { user_references: [{ id: world.userId }] })
  await get(`/users/${world.userId}`, { members: shapes.UserShape })
  // The original does not answer this request either.
  await get(`/users?query=${encodeURIComponent('{"shortname":"x"}')}&limit=10`, {
    status: 400,
    members: shapes.ErrorShape,
  })
}
