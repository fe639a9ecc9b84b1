import { Type } from 'typebox'
import type { ClientVisit } from './visit.ts'
import * as shapes from './shapes.ts'

/** A desktop companion: the key under `/api`, and the key as Bearer. Its setup creates that key with a password. */
export async function visitAsTuleapPet({ world, call }: ClientVisit): Promise<void> {
  const { bugs, projectId } = world
  const headers = { 'X-Auth-AccessKey': world.key }
  const json = { ...headers, 'Content-Type': 'application/json' }
  const get = (path: string, needs: Parameters<typeof call>[1]) => call({ method: 'GET', path, headers }, needs)
  const put = (id: number, body: object) =>
    call({ method: 'PUT', path: `/api/artifacts/${id}`, headers: json, json: body }, {})

  await call({ method: 'GET', path: '/api/explorer/', headers: {} }, {})
  const basic = { Authorization: `Basic ${Buffer.from(`${world.username}:${world.password}`).toString('base64')}` }
  await call({ method: 'GET', path: '/api/users/self', headers: basic }, { members: shapes.UserShape })
  await call(
    {
      method: 'POST',
      path: '/api/access_keys',
      headers: basic,
      json: { description: 'ci-bootstrap', scopes: ['write:rest'] },
    },
    { status: 201, members: Type.Object({ identifier: Type.String({ pattern: '^tlp-k' }) }) },
  )

  await get('/api/users/self', {
    members: shapes.UserShape,
    also: ({ json: { id } }) => (id === world.userId ? undefined : 'another user'),
  })
  const bearer = { Authorization: `Bearer ${world.key}` }
  await call({ method: 'GET', path: '/api/users/self', headers: bearer }, { members: shapes.UserShape })
  await get('/api/projects?limit=50&offset=0', {
    members: Type.Array(shapes.ProjectShape),
    headers: shapes.SIZE_HEADER,
  })
  const query = encodeURIComponent(JSON.stringify({ shortname: world.shortname }))
  await get(`/api/projects?limit=50&offset=0&query=${query}`, {
    members: Type.Array(shapes.ProjectShape, { minItems: 1, maxItems: 1 }),
    headers: shapes.SIZE_HEADER,
  })
  await get(`/api/projects/${projectId}`, {
    members: shapes.ProjectShape,
    also: (answer) => (answer.json.id === projectId ? undefined : 'another project'),
  })
  await get(`/api/projects/${projectId}/trackers?limit=50&offset=0`, {
    members: Type.Array(shapes.TrackerShape, { minItems: 3 }),
    headers: shapes.SIZE_HEADER,
  })
  await get(`/api/trackers/${bugs.id}`, { members: shapes.TrackerStructureShape })
  await get(`/api/projects/${projectId}/git?limit=50&offset=0`, {
    members: shapes.RepositoriesShape,
    headers: shapes.SIZE_HEADER,
  })
  await get(`/api/projects/${projectId}/svn?limit=50&offset=0`, {
    members: shapes.RepositoriesShape,
    headers: shapes.SIZE_HEADER,
  })
  const open = encodeURIComponent('{"status":"open"}')
  await get(`/api/projects/${projectId}/milestones?limit=50&offset=0&query=${open}`, {
    members: Type.Array(Type.Object({})),
    headers: shapes.SIZE_HEADER,
  })

  const make = async (title: string) => {
    const values = [
      { field_id: bugs.fields['summary'], value: title },
      { field_id: bugs.fields['status'], bind_value_ids: [bugs.statuses['New']] },
      { field_id: bugs.fields['details'], value: { content: 'Seeded', format: 'text' } },
    ]
    const answer = await call(
      { method: 'POST', path: '/api/artifacts', headers: json, json: { tracker: { id: bugs.id }, values } },
      { status: 201, members: shapes.CreatedShape },
    )
    return Number(answer.json.id)
  }
  const [parent, child, other] = [await make('Parent'), await make('Child'), await make('Other child')]
  await get(`/api/trackers/${bugs.id}/artifacts?limit=10&offset=0&values=all`, {
    members: Type.Array(shapes.ArtifactShape, { minItems: 3 }),
    headers: shapes.SIZE_HEADER,
  })
  await put(parent, { values: [{ field_id: bugs.fields['status'], bind_value_ids: [bugs.statuses['Closed']] }] })
  await put(parent, { values: [], comment: { body: 'Said', format: 'text' } })
  await put(parent, { values: [{ field_id: bugs.fields['links'], links: [{ id: child }, { id: other }] }] })
  await get(`/api/artifacts/${world.first}?values_format=collection&tracker_structure_format=minimal`, {
    members: shapes.ArtifactWithValuesShape,
    also: ({ json: { id } }) => (id === world.first ? undefined : 'another artifact'),
  })
  await get(`/api/artifacts/${parent}/changesets?fields=comments&order=desc&limit=10&offset=0`, {
    members: shapes.ChangesetsShape,
    headers: shapes.SIZE_HEADER,
    also: (answer) => (answer.json[0].last_comment.body === 'Said' ? undefined : 'not the newest first'),
  })
  await get(`/api/artifacts/${parent}/linked_artifacts?direction=forward&limit=50&offset=0`, {
    members: shapes.LinkedArtifactsShape,
    headers: shapes.SIZE_HEADER,
    also: (answer) => {
      const ids: number[] = answer.json.collection.map(({ id }: { id: number }) => id)
      return ids.includes(child) && ids.includes(other) ? undefined : `links to ${ids.join()}`
    },
  })
}
