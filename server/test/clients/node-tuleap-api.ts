import { Type } from 'typebox'
import type { Needs, Visit } from './visit.ts'
import * as shapes from './shapes.ts'

/** The oldest of them: signs in by token, ends addresses with a slash, sends parameters without a value. */
export async function visitAsNodeTuleapApi({ world, call }: Visit): Promise<void> {
  const { bugs, projectId: project } = world
  const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const login = { username: world.username, password: world.password }
  const { json: token } = await call(
    { method: 'POST', path: '/api/tokens/', headers: json, json: login },
    { members: Type.Object({ user_id: Type.Union([shapes.Text, shapes.Whole]), token: shapes.Text }) },
  )
  const headers = { ...json, 'X-Auth-Token': String(token.token), 'X-Auth-UserId': String(token.user_id) }
  const get = (path: string, needs: Needs = {}) => call({ method: 'GET', path: `/api/${path}`, headers }, needs)

  await get('projects/?limit=50&offset=0', { members: Type.Array(shapes.Project, { minItems: 1 }) })
  await get(`projects/${project}`, { members: shapes.Project })
  await get(`projects/${project}/backlog?limit=100&offset=0`, { members: Type.Array(Type.Object({})) })
  await get(`projects/${project}/trackers?limit=50&offset=0`, { members: Type.Array(shapes.Tracker) })
  await get(`trackers/${bugs.id}`, { members: shapes.TrackerStructure })
  await get(`trackers/${bugs.id}/artifacts?values=all&limit=1000&offset=0&query=&order=asc`, {
    members: Type.Array(shapes.Artifact, { minItems: 2 }),
  })
  await get(`trackers/${bugs.id}/parent_artifacts?limit=100&offset=0`, { members: Type.Array(Type.Object({})) })
  await get(`trackers/${bugs.id}/tracker_reports?limit=100&offset=0`, {
    members: Type.Array(shapes.Made, { minItems: 1 }),
  })
  await get(`tracker_reports/${world.reportId}`, { members: shapes.Made })
  await get(`tracker_reports/${world.reportId}/artifacts?values=all&limit=50&offset=0`, {
    members: Type.Array(shapes.Made, { minItems: 2 }),
  })
  await get(`artifacts/${world.first}?values_format=all`, { members: shapes.ArtifactWithValues })
  await get(`artifacts/${world.first}/changesets?fields=all&limit=50&offset=0&order=asc`, {
    members: shapes.Changesets,
  })
  await get(`artifacts/${world.first}/linked_artifacts?direction=forward&nature=&limit=50&offset=0`, {
    members: shapes.LinkedArtifacts,
    also: ({ json: { collection } }) =>
      collection.some(({ id }: { id: number }) => id === world.second) ? undefined : 'a link without a type is absent',
  })
  await get(`artifacts/${world.first}/links`, {
    members: Type.Object({ natures: Type.Array(Type.Object({ shortname: shapes.Text, direction: shapes.Text })) }),
  })
  await get(`artifact_files/${world.fileId}?offset=0&limit=1048576`, { members: Type.Object({ data: shapes.Text }) })
  await call({ method: 'DELETE', path: '/api/tokens/', headers }, {})
  await get(`projects/${project}`, { status: 401, members: shapes.Refusal })
}
