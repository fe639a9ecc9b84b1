import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { loginByIdSql } from '../accounts/users/user.ts'
import { cutPage } from '../platform/http/pages.ts'
import { idParam, readRoute } from '../platform/http/route.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import { apiDate } from '../platform/wire/dates.ts'
import { nullable } from '../platform/wire/nullable.ts'
import { findRepository, requireSvnAdmin } from './find-repository.ts'
import type { RepositoryId } from './repository.ts'

const AccessFileVersion = Type.Object(
  {
    version: Type.Integer(),
    is_current: Type.Boolean({ description: 'It is the one in force.' }),
    access_file: Type.String(),
    has_default_permissions: Type.Boolean(),
    made_by: nullable(Type.Object({ id: Type.Integer(), username: Type.String() })),
    made_on: Type.String(),
  },
  { title: 'AccessFileVersion' },
)

/** To return to an older version, put its text into the settings. */
export const listAccessFiles = readRoute({
  method: 'GET',
  path: '/svn/:id/access_files',
  operationId: 'listAccessFiles',
  summary: 'List every access file that a repository has had, the newest first.',
  description: 'Lists the versions of the access file, with author and time. Project administrators. Others get 403.',
  access: 'signed_in',
  params: { id: idParam<RepositoryId>('The repository.') },
  pages: { default: 10, min: 1, max: 50 },
  answer: Type.Array(AccessFileVersion),
  async handle({ context, viewer, params, page: { limit, offset, after } }) {
    const { repository, project } = await findRepository(context.db, viewer, params.id)
    requireSvnAdmin(viewer, project)
    const { rows: found } = await sql<(VersionRow | { version: null }) & { size: number }>`
      select whole.size, page.*
      from (select count(*) as size from repository_access_file made where made.repository_id = ${repository.id}) whole
      left join lateral (
        select made.version, made.text, made.has_default_permissions, made.made_by,
          ${loginByIdSql(sql`made.made_by`)} as login, made.made_on
        from repository_access_file made
        where made.repository_id = ${repository.id} and ${after ? sql`made.version < ${after[0]}` : sql`true`}
        order by made.version desc limit ${limit + 1} offset ${after ? 0 : offset}
      ) page on true
      order by page.version desc`.execute(context.db)
    const versions = found.filter((row) => row.version !== null)
    const { rows, next } = cutPage(versions, limit, ({ version }) => [version])
    const body = rows.map((row) => representAccessFileVersion(row, repository.access_version))
    return { body, size: found[0]?.size ?? 0, next }
  },
})

interface VersionRow {
  version: number
  text: string
  has_default_permissions: boolean
  made_by: AccountId | null
  login: string | null
  made_on: Date
}

function representAccessFileVersion(row: VersionRow, current: number): Static<typeof AccessFileVersion> {
  const { version, text: access_file, has_default_permissions, made_by, login, made_on } = row
  return {
    version,
    is_current: version === current,
    access_file,
    has_default_permissions,
    made_by: made_by === null || login === null ? null : { id: made_by, username: login },
    made_on: apiDate(made_on),
  }
}
