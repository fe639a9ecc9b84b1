import { Type } from 'typebox'
import type { Needs, Visit } from './visit.ts'
import * as shapes from './shapes.ts'

/** The Python library that three others build on. Creation and change are 200 or 201 to it, deletion only 200. */
export async function visitWithToken(visit: Visit): Promise<void> {
  const { world, call } = visit
  // It signs in with a form, and wants 200.
  const form = new URLSearchParams({ username: world.username, password: world.password })
  const { json } = await call(
    {
      method: 'POST',
      path: '/api/tokens',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      bytes: form.toString(),
    },
    { members: Type.Object({ user_id: Type.Union([shapes.Text, shapes.Whole]), token: shapes.Text }) },
  )
  const headers = { 'X-Auth-Token': String(json.token), 'X-Auth-UserId': String(json.user_id) }
  await visitEverything(visit, headers)
  await call({ method: 'DELETE', path: `/api/tokens/${json.token}`, headers }, {})
  await call({ method: 'GET', path: `/api/projects/${world.projectId}`, headers }, { status: 401 })
}

export async function visitWithKey(visit: Visit): Promise<void> {
  const headers = { 'X-Auth-AccessKey': visit.world.key }
  await visitEverything(visit, headers)
  // It has no token, and says so.
  await visit.call({ method: 'DELETE', path: '/api/tokens/', headers }, {})
}

/** Its own fork of the walk: one artifact after the other, by key. An edge without a type is lost to it. */
export async function visitAsReferencesGraph({ world, call }: Visit): Promise<void> {
  const headers = { 'X-Auth-AccessKey': world.key }
  await call({ method: 'GET', path: '/api/git/1', headers }, { status: 404, members: shapes.Refusal })
  for (const id of [world.first, world.second])
    await call(
      { method: 'GET', path: `/api/artifacts/${id}?values_format=all&tracker_structure_format=minimal`, headers },
      { members: shapes.ArtifactWithValues },
    )
  await call(
    { method: 'GET', path: `/api/trackers/${world.bugs.id}/artifacts?limit=1000&offset=0&order=asc`, headers },
    { members: Type.Array(Type.Object({ xref: shapes.Text }), { minItems: 2 }) },
  )
}

async function visitEverything({ world, call }: Visit, headers: Record<string, string>): Promise<void> {
  const { bugs, projectId: project } = world
  const get = (path: string, needs: Needs = {}) => call({ method: 'GET', path: `/api${path}`, headers }, needs)
  const send = (method: string, path: string, json: object, needs: Needs = {}) =>
    call({ method, path: `/api${path}`, headers, json }, needs)
  const list = { members: Type.Array(Type.Object({})), headers: shapes.PAGES }

  await get('/projects?limit=10', { members: Type.Array(shapes.Project), headers: shapes.PAGES })
  await get(`/projects/${project}`, { members: shapes.Project })
  await get(`/projects?query=${encodeURIComponent(`{"shortname":"${world.shortname}"}`)}`, {
    members: Type.Array(shapes.Project, { minItems: 1, maxItems: 1 }),
  })
  for (const part of ['backlog?limit=10', 'milestones?order=asc&limit=10', 'plannings?limit=10'])
    await get(`/projects/${project}/${part}`, list)
  await get(`/projects/${project}/git?fields=basic&limit=10`, { members: shapes.Repositories, headers: shapes.PAGES })
  await get(`/projects/${project}/trackers?limit=10`, { ...list, members: Type.Array(shapes.Tracker) })
  await get(`/projects/${project}/user_groups?limit=10`, list)

  await get(`/trackers/${bugs.id}`, { members: shapes.TrackerStructure })
  const status = encodeURIComponent(`{"status": [${bugs.statuses['New']}]}`)
  for (const more of ['', `&query=${status}`, `&expert_query=${encodeURIComponent("summary = 'handle'")}`])
    await get(`/trackers/${bugs.id}/artifacts?limit=10${more}&order=asc`, {
      members: Type.Array(shapes.Artifact, { minItems: 1 }),
      headers: shapes.PAGES,
    })
  await get(`/trackers/${bugs.id}/tracker_reports?limit=10`, list)
  await get(`/tracker_reports/${world.reportId}`, { members: shapes.Made })
  await get(`/tracker_reports/${world.reportId}/artifacts?values=&limit=10`, list)

  const { json: second } = await get(`/artifacts/${world.second}?values_format=all&tracker_structure_format=minimal`, {
    members: shapes.ArtifactWithValues,
  })
  await get(`/artifacts/${world.first}/changesets?fields=all&limit=10`, {
    members: shapes.Changesets,
    headers: shapes.PAGES,
  })
  const made = { status: 201, members: shapes.Made }
  const tracker = { id: bugs.id }
  await send('POST', '/artifacts', { tracker, values_by_field: { summary: { value: 'By field' } } }, made)
  await send('POST', '/artifacts', { tracker, values: [{ field_id: bugs.fields['summary'], value: 'Value' }] }, made)
  await send('POST', '/artifacts', { tracker, from_artifact: { id: world.first } }, made)
  // What it has read it sends again, with members that only reading has.
  const read = second.values.filter(({ label }: { label: string }) => label === 'Summary')
  await send('PUT', `/artifacts/${world.second}`, { values: read }, { members: shapes.Made })

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
    { members: Type.Object({ id: shapes.Whole, size: Type.Literal(11) }) },
  )
  await get('/artifact_temporary_files?limit=10', {
    ...list,
    headers: { ...shapes.SIZE, 'X-QUOTA': /^\d+$/, 'X-UPLOAD-MAX-FILE-CHUNKSIZE': /^\d+$/ },
  })
  await call({ method: 'DELETE', path: `/api/artifact_temporary_files/${file.id}`, headers }, {})
  await get(`/artifact_files/${world.fileId}?limit=1048576`, { members: Type.Object({ data: shapes.Text }) })

  const group = `${project}_3`
  await get(`/user_groups/${group}`, { members: Type.Object({ id: shapes.Text, short_name: shapes.Text }) })
  await get(`/user_groups/${group}/users`, { members: Type.Array(shapes.User, { minItems: 1 }) })
  await send('PUT', `/user_groups/${group}/users`, { user_references: [{ id: world.userId }] })
  await get(`/users/${world.userId}`, { members: shapes.User })
  // It asks the original in vain as well.
  await get(`/users?query=${encodeURIComponent('{"shortname":"x"}')}&limit=10`, {
    status: 400,
    members: shapes.Refusal,
  })
}
