import { Type } from 'typebox'
import type { Needs, ClientVisit } from './visit.ts'
import * as shapes from './shapes.ts'

/** An editor extension: announces a file, uploads it by tus 1.0.0, attaches it. */
export async function visitAsEditor({ world, call }: ClientVisit): Promise<void> {
  const key = { 'X-Auth-AccessKey': world.key }
  const field = world.bugs.fields['attachments']
  const bytes = 'The log of the crane.'
  const { json: file } = await call(
    {
      method: 'POST',
      path: `/api/v1/tracker_fields/${field}/files`,
      headers: key,
      json: { name: 'crane.log', file_size: bytes.length, file_type: 'text/plain' },
    },
    {
      members: Type.Object({
        id: shapes.IntegerShape,
        upload_href: Type.String({ pattern: '^/' }),
        download_href: shapes.TextShape,
      }),
    },
  )
  const tus = { ...key, 'Tus-Resumable': '1.0.0' }
  const offset = (at: number) => ({ 'Upload-Offset': new RegExp(`^${at}$`), 'Tus-Resumable': /^1\.0\.0$/ })
  await call(
    { method: 'HEAD', path: file.upload_href, headers: tus },
    { headers: { ...offset(0), 'Upload-Length': new RegExp(`^${bytes.length}$`) } },
  )
  await call(
    {
      method: 'PATCH',
      path: file.upload_href,
      headers: { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
      bytes,
    },
    { status: 204, headers: offset(bytes.length) },
  )
  await call(
    {
      method: 'PUT',
      path: `/api/v1/artifacts/${world.first}`,
      headers: key,
      json: { values: [{ field_id: field, value: [file.id] }] },
    },
    {},
  )
  await call(
    { method: 'GET', path: file.download_href, headers: key },
    { also: ({ text }) => (text === bytes ? undefined : 'other bytes') },
  )
  await call(
    {
      method: 'POST',
      path: '/api/v1/tracker_fields/99999999/files',
      headers: key,
      json: { name: 'x', file_size: 1, file_type: 'text/plain' },
    },
    { status: 404, members: shapes.ErrorShape },
  )
}

/** A build server plug-in: checks its key, paginates by size, sends unescaped braces. */
export async function visitAsBuildServer({ world, call }: ClientVisit): Promise<void> {
  const key = { 'X-Auth-AccessKey': world.key }
  const bearer = { Authorization: `Bearer ${world.key}` }
  const get = (path: string, needs: Needs = {}, headers: Record<string, string> = key) =>
    call({ method: 'GET', path: `/api/${path}`, headers }, needs)
  await get('explorer/swagger.json', {}, {})
  await get('access_keys/self', {
    members: Type.Object({ scopes: Type.Array(Type.Object({ identifier: shapes.TextShape }), { minItems: 1 }) }),
  })
  await get('users/self', { members: shapes.UserShape })
  await get('projects?limit=50&offset=0&query={%22is_member_of%22:true}', {
    members: Type.Array(shapes.ProjectShape, { minItems: 1 }),
    headers: shapes.SIZE_HEADER,
  })
  await get(
    `projects?limit=1&query=${encodeURIComponent(`{"shortname":"${world.shortname}"}`)}`,
    { members: Type.Array(shapes.ProjectShape, { minItems: 1 }), headers: shapes.SIZE_HEADER },
    bearer,
  )
  await get(`projects/${world.projectId}/user_groups`, {
    members: Type.Array(Type.Object({ short_name: shapes.TextShape })),
  })
  await get('users/self/membership?scope=project&format=full&limit=50&offset=0', {
    members: Type.Array(
      Type.Object({
        short_name: shapes.TextShape,
        project: Type.Object({ id: shapes.IntegerShape, shortname: shapes.TextShape }),
      }),
      { minItems: 1 },
    ),
    headers: shapes.SIZE_HEADER,
  })
  await get(`user_groups/${world.projectId}_4`, { members: Type.Object({ short_name: shapes.TextShape }) })
  await get(`projects/${world.projectId}/git?limit=50&offset=0`, {
    members: shapes.RepositoriesShape,
    headers: shapes.SIZE_HEADER,
  })
}
