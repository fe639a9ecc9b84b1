import { Type } from 'typebox'
import type { Needs, ClientVisit } from './visit.ts'
import * as shapes from './shapes.ts'

/** The oldest client: signs in by token, ends URLs with a slash, sends parameters without a value. */
export async function visitAsNodeTuleapApi({ world, call }: ClientVisit): Promise<void> {
  const { bugs, projectId: project } = world
  const json = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const login = { username: world.username, password: world.password }
  const { json: token } = await call(
    { method: 'POST', path: '/api/tokens/', headers: json, json: login },
    { members: Type.Object({ user_id: Type.Union([shapes.TextShape, shapes.IntegerShape]), token: shapes.TextShape }) },
  )
  const headers = { ...json, 'X-Auth-Token': String(token.token), 'X-Auth-UserId': String(token.user_id) }
  const get = (path: string, needs: Needs = {}) => call({ method: 'GET', path: `/api/${path}`, headers }, needs)

  await get('projects/?limit=50&offset=0', { members: Type.Array(shapes.ProjectShape, { minItems: 1 }) })
  await get(`projects/${project}`, { members: shapes.ProjectShape })
  await get(`projects/${project}/backlog?limit=100&offset=0`, { members: Type.Array(Type.Object({})) })
  await get(`projects/${project}/trackers?limit=50&offset=0`, { members: Type.Array(shapes.TrackerShape) })
  await get(`trackers/${bugs.id}`, { members: shapes.TrackerStructureShape })
  await get(`trackers/${bugs.id}/artifacts?values=all&limit=1000&offset=0&query=&order=asc`, {
    members: Type.Array(shapes.ArtifactShape, { minItems: 2 }),
  })
  await get(`trackers/${bugs.id}/parent_artifacts?limit=100&offset=0`, { members: Type.Array(Type.Object({})) })
  await get(`trackers/${bugs.id}/tracker_reports?limit=100&offset=0`, {
    members: Type.Array(shapes.CreatedShape, { minItems: 1 }),
  })
  await get(`tracker_reports/${world.reportId}`, { members: shapes.CreatedShape })
  await get(`tracker_reports/${world.reportId}/artifacts?values=all&limit=50&offset=0`, {
    members: Type.Array(shapes.CreatedShape, { minItems: 2 }),
  })
  await get(`artifacts/${world.first}?values_format=all`, { members: shapes.ArtifactWithValuesShape })
  await get(`artifacts/${world.first}/changesets?fields=all&limit=50&offset=0&order=asc`, {
    members: shapes.ChangesetsShape,
  })
  await get(`artifacts/${world.first}/linked_artifacts?direction=forward&nature=&limit=50&offset=0`, {
    members: shapes.LinkedArtifactsShape,
    also: ({ json: { collection } }) =>
      collection.some(({ id }: { id: number }) => id === world.second) ? undefined : 'a link without a type is absent',
  })
  await get(`artifacts/${world.first}/links`, {
    members: Type.Object({
      natures: Type.Array(Type.Object({ shortname: shapes.TextShape, direction: shapes.TextShape })),
    }),
  })
  await get(`artifact_files/${world.fileId}?offset=0&limit=1048576`, {
    members: Type.Object({ data: shapes.TextShape }),
  })
  await call({ method: 'DELETE', path: '/api/tokens/', headers }, {})
  await get(`projects/${project}`, { status: 401, members: shapes.ErrorShape })
}
