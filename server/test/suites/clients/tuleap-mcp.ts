import { Type } from 'typebox'
import type { Needs, ClientVisit } from './visit.ts'
import * as shapes from './shapes.ts'
import { FILE_BYTES } from './world.ts'

/** Three tool servers for language models, each named `tuleap-mcp`. All send a JSON content type with every GET. */

export async function visitAsCheeloung({ world, call }: ClientVisit): Promise<void> {
  const { bugs, projectId: project } = world
  const headers = headersOf(world.key)
  const get = (path: string, needs: Needs = {}) => call({ method: 'GET', path: `/api/v1/${path}`, headers }, needs)
  const send = (method: string, path: string, json: object, needs: Needs = {}) =>
    call({ method, path: `/api/v1/${path}`, headers, json }, needs)
  const artifacts = (criteria: object, needs: Needs) =>
    get(`trackers/${bugs.id}/artifacts?values=all&query=${asked(criteria)}&limit=50&offset=0`, needs)
  const found = { members: Type.Array(shapes.ArtifactWithValuesShape, { minItems: 1 }), headers: shapes.SIZE_HEADER }
  const one = { members: Type.Array(shapes.ProjectShape, { minItems: 1, maxItems: 1 }) }

  await get(`projects?query=${asked({ is_member_of: true })}`, {
    members: Type.Array(shapes.ProjectShape, { minItems: 1 }),
  })
  await get(`projects?query=${asked({ is_member_of: true, shortname: world.shortname })}`, one)
  await get(`projects/${project}/milestones?query=${asked({ status: 'open' })}&limit=50&offset=0`, {
    members: Type.Array(Type.Object({})),
    headers: shapes.SIZE_HEADER,
  })
  await get(`projects/${project}/git`)
  await get(`projects/${project}/trackers`, {
    members: Type.Array(Type.Object({ fields: shapes.TrackerStructureShape.properties.fields }), { minItems: 3 }),
  })
  await get(`trackers/${bugs.id}`, { members: shapes.TrackerStructureShape })
  await get(`artifacts/${world.first}`, { members: shapes.ArtifactWithValuesShape })
  const status = bugs.statuses['New']
  await artifacts({ status: [String(status)] }, found)
  await artifacts({ status: [status] }, found)
  await artifacts({ assigned_to: { id: world.userId } }, found)
  await get(`artifacts/${world.first}/changesets?fields=comments&limit=50&offset=0`, {
    members: shapes.ChangesetsShape,
    headers: shapes.SIZE_HEADER,
    also: ({ json }) =>
      json.some((each: { last_comment: { body: string } }) => each.last_comment.body === 'Seen.')
        ? undefined
        : 'no comment',
  })
  const { json: changesets } = await get(`artifacts/${world.first}/changesets?limit=50&offset=0`, {
    headers: shapes.SIZE_HEADER,
    members: Type.Array(Type.Object({ values: Type.Array(Type.Object({ type: shapes.TextShape })) }), { minItems: 1 }),
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
    {
      status: 201,
      members: Type.Object({ id: shapes.IntegerShape, name: shapes.TextShape, size: shapes.IntegerShape }),
    },
  )
  const title = { field_id: bugs.fields['summary'], value: 'Made by a tool' }
  const { json: made } = await send(
    'POST',
    'artifacts',
    { tracker: { id: bugs.id }, values: [title] },
    { status: 201, members: shapes.CreatedShape },
  )
  const attached = { field_id: bugs.fields['attachments'], value: [uploaded.id] }
  const changed = { members: shapes.CreatedShape }
  await send(
    'PUT',
    `artifacts/${made.id}`,
    { values: [attached], comment: { body: 'See <b>the log</b>', format: 'html' } },
    changed,
  )
  await get(`user_groups/${project}_3/users?limit=50&offset=0`, {
    members: Type.Array(shapes.UserShape, { minItems: 1 }),
    headers: shapes.SIZE_HEADER,
  })
  const values = [
    { field_id: bugs.fields['assigned_to'], bind_value_ids: [world.userId] },
    { field_id: bugs.fields['user_group'], bind_value_ids: [`${project}_3`] },
    { field_id: bugs.fields['technical_details'], value: { format: 'commonmark', content: '**M8**' } },
  ]
  await send('PUT', `artifacts/${made.id}`, { values }, changed)
  const all_links = [{ id: world.first, type: '_is_child' }]
  await send('PUT', `artifacts/${made.id}/links`, { all_links }, changed)
  await get(`users?query=${world.username}`, { members: Type.Array(shapes.UserShape) })
}

/** By key, and by Basic. */
export async function visitAsRominou({ world, call }: ClientVisit): Promise<void> {
  const basic = `Basic ${Buffer.from(`${world.username}:${world.password}`).toString('base64')}`
  for (const credentials of [{ 'X-Auth-AccessKey': world.key }, { Authorization: basic }]) {
    const headers = { 'Content-Type': 'application/json', ...credentials }
    const get = (path: string, needs: Needs) => call({ method: 'GET', path: `/api/${path}`, headers }, needs)
    await get('projects', { members: Type.Array(shapes.ProjectShape, { minItems: 1 }) })
    await get(`projects/${world.projectId}/trackers`, { members: Type.Array(shapes.TrackerShape, { minItems: 3 }) })
    await get(`trackers/${world.bugs.id}/artifacts?limit=50`, {
      members: Type.Array(shapes.ArtifactShape, { minItems: 2 }),
    })
    await get(`artifacts/${world.first}`, { members: shapes.ArtifactWithValuesShape })
    await get('users/me', { members: shapes.UserShape })
  }
}

/** The original refuses half of its calls too; they get the same errors here. */
export async function visitAsShamil({ world, call }: ClientVisit): Promise<void> {
  const headers = headersOf(world.key)
  const get = (path: string, needs: Needs = {}) => call({ method: 'GET', path: `/api/v1/${path}`, headers }, needs)
  const send = (method: string, path: string, json: object, needs: Needs = {}) =>
    call({ method, path: `/api/v1/${path}`, headers, json }, needs)
  const refused = (status: number) => ({ status, members: shapes.ErrorShape })

  await get(`users?query=${world.username}`, { members: Type.Array(shapes.UserShape) })
  await get('projects', { members: Type.Array(shapes.ProjectShape) })
  await get(`projects/${world.projectId}/trackers`, { members: Type.Array(shapes.TrackerShape) })
  await get(`projects/${world.projectId}/git`)
  await get(`trackers/${world.epics}/artifacts`, { members: Type.Array(shapes.ArtifactShape) })
  await get(`artifacts/${world.first}`, { members: shapes.ArtifactWithValuesShape })
  // An empty response to a PUT would raise an exception in the client.
  const comment = { body: 'Linked', format: 'text' }
  await send('PUT', `artifacts/${world.second}`, { values: [], comment }, { members: shapes.CreatedShape })

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
