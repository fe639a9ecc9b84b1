import { Type } from 'typebox'
import type { Needs, Visit } from './visit.ts'
import * as shapes from './shapes.ts'
import { FILE_BYTES } from './world.ts'

/** Three servers of tools for language models, each named `tuleap-mcp`. All send a JSON type with every GET. */

export async function visitAsCheeloung({ world, call }: Visit): Promise<void> {
  const { bugs, projectId: project } = world
  const headers = headersOf(world.key)
  const get = (path: string, needs: Needs = {}) => call({ method: 'GET', path: `/api/v1/${path}`, headers }, needs)
  const send = (method: string, path: string, json: object, needs: Needs = {}) =>
    call({ method, path: `/api/v1/${path}`, headers, json }, needs)
  const artifacts = (criteria: object, needs: Needs) =>
    get(`trackers/${bugs.id}/artifacts?values=all&query=${asked(criteria)}&limit=50&offset=0`, needs)
  const found = { members: Type.Array(shapes.ArtifactWithValues, { minItems: 1 }), headers: shapes.SIZE }
  const one = { members: Type.Array(shapes.Project, { minItems: 1, maxItems: 1 }) }

  await get(`projects?query=${asked({ is_member_of: true })}`, { members: Type.Array(shapes.Project, { minItems: 1 }) })
  await get(`projects?query=${asked({ is_member_of: true, shortname: world.shortname })}`, one)
  await get(`projects/${project}/milestones?query=${asked({ status: 'open' })}&limit=50&offset=0`, {
    members: Type.Array(Type.Object({})),
    headers: shapes.SIZE,
  })
  await get(`projects/${project}/git`)
  await get(`projects/${project}/trackers`, {
    members: Type.Array(Type.Object({ fields: shapes.TrackerStructure.properties.fields }), { minItems: 3 }),
  })
  await get(`trackers/${bugs.id}`, { members: shapes.TrackerStructure })
  await get(`artifacts/${world.first}`, { members: shapes.ArtifactWithValues })
  const status = bugs.statuses['New']
  await artifacts({ status: [String(status)] }, found)
  await artifacts({ status: [status] }, found)
  await artifacts({ assigned_to: { id: world.userId } }, found)
  await get(`artifacts/${world.first}/changesets?fields=comments&limit=50&offset=0`, {
    members: shapes.Changesets,
    headers: shapes.SIZE,
    also: ({ json }) =>
      json.some((each: { last_comment: { body: string } }) => each.last_comment.body === 'Seen.')
        ? undefined
        : 'no comment',
  })
  const { json: changesets } = await get(`artifacts/${world.first}/changesets?limit=50&offset=0`, {
    headers: shapes.SIZE,
    members: Type.Array(Type.Object({ values: Type.Array(Type.Object({ type: shapes.Text })) }), { minItems: 1 }),
  })
  const [file] = changesets
    .flatMap(({ values }: { values: { type: string }[] }) => values)
    .filter(({ type }: { type: string }) => type === 'file')
    .flatMap(({ file_descriptions }: { file_descriptions: { html_url: string }[] }) => file_descriptions)
  await call(
    { method: 'GET', path: file.html_url, headers },
    { also: ({ text }) => (text === FILE_BYTES ? undefined : 'other bytes') },
  )
  await get(`artifact_files/${world.fileId}`, {
    also: ({ json }) =>
      Buffer.from(json.data, 'base64').toString() === FILE_BYTES ? undefined : 'other bytes in base64',
  })
  const { json: uploaded } = await send(
    'POST',
    'artifact_temporary_files',
    { name: 'log.txt', mimetype: 'text/plain', content: 'bG9n', offset: 1, description: '' },
    { status: 201, members: Type.Object({ id: shapes.Whole, name: shapes.Text, size: shapes.Whole }) },
  )
  const title = { field_id: bugs.fields['summary'], value: 'Made by a tool' }
  const { json: made } = await send(
    'POST',
    'artifacts',
    { tracker: { id: bugs.id }, values: [title] },
    { status: 201, members: shapes.Made },
  )
  const attached = { field_id: bugs.fields['attachments'], value: [uploaded.id] }
  const changed = { members: shapes.Made }
  await send(
    'PUT',
    `artifacts/${made.id}`,
    { values: [attached], comment: { body: 'See <b>the log</b>', format: 'html' } },
    changed,
  )
  await get(`user_groups/${project}_3/users?limit=50&offset=0`, {
    members: Type.Array(shapes.User, { minItems: 1 }),
    headers: shapes.SIZE,
  })
  const values = [
    { field_id: bugs.fields['assigned_to'], bind_value_ids: [world.userId] },
    { field_id: bugs.fields['user_group'], bind_value_ids: [`${project}_3`] },
    { field_id: bugs.fields['technical_details'], value: { format: 'commonmark', content: '**M8**' } },
  ]
  await send('PUT', `artifacts/${made.id}`, { values }, changed)
  const all_links = [{ id: world.first, type: '_is_child' }]
  await send('PUT', `artifacts/${made.id}/links`, { all_links }, changed)
  await get(`users?query=${world.username}`, { members: Type.Array(shapes.User) })
}

/** By key, and by Basic. */
export async function visitAsRominou({ world, call }: Visit): Promise<void> {
  const basic = `Basic ${Buffer.from(`${world.username}:${world.password}`).toString('base64')}`
  for (const credentials of [{ 'X-Auth-AccessKey': world.key }, { Authorization: basic }]) {
    const headers = { 'Content-Type': 'application/json', ...credentials }
    const get = (path: string, needs: Needs) => call({ method: 'GET', path: `/api/${path}`, headers }, needs)
    await get('projects', { members: Type.Array(shapes.Project, { minItems: 1 }) })
    await get(`projects/${world.projectId}/trackers`, { members: Type.Array(shapes.Tracker, { minItems: 3 }) })
    await get(`trackers/${world.bugs.id}/artifacts?limit=50`, {
      members: Type.Array(shapes.Artifact, { minItems: 2 }),
    })
    await get(`artifacts/${world.first}`, { members: shapes.ArtifactWithValues })
    await get('users/me', { members: shapes.User })
  }
}

/** Half of what it asks has no answer in the original either: those calls are refused as there, and it says so. */
export async function visitAsShamil({ world, call }: Visit): Promise<void> {
  const headers = headersOf(world.key)
  const get = (path: string, needs: Needs = {}) => call({ method: 'GET', path: `/api/v1/${path}`, headers }, needs)
  const send = (method: string, path: string, json: object, needs: Needs = {}) =>
    call({ method, path: `/api/v1/${path}`, headers, json }, needs)
  const refused = (status: number) => ({ status, members: shapes.Refusal })

  await get(`users?query=${world.username}`, { members: Type.Array(shapes.User) })
  await get('projects', { members: Type.Array(shapes.Project) })
  await get(`projects/${world.projectId}/trackers`, { members: Type.Array(shapes.Tracker) })
  await get(`projects/${world.projectId}/git`)
  await get(`trackers/${world.epics}/artifacts`, { members: Type.Array(shapes.Artifact) })
  await get(`artifacts/${world.first}`, { members: shapes.ArtifactWithValues })
  // An empty answer to a PUT would be an exception to it.
  const comment = { body: 'Linked', format: 'text' }
  await send('PUT', `artifacts/${world.second}`, { values: [], comment }, { members: shapes.Made })

  await get(`projects?query=${world.shortname}`, refused(400))
  await get(`trackers/${world.stories}/artifacts?query=parent_id=5`, refused(400))
  await send('POST', `trackers/${world.epics}/artifacts`, { values: [] }, refused(405))
  const parent = { field_id: 'parent_id', value: world.first }
  await send('PUT', `artifacts/${world.second}`, { values: [parent] }, refused(400))
}

function headersOf(key: string) {
  return { 'X-Auth-AccessKey': key, 'Content-Type': 'application/json', Accept: 'application/json' }
}

function asked(criteria: object): string {
  return encodeURIComponent(JSON.stringify(criteria))
}
