import { type RawBuilder, sql } from 'kysely'
import type { Aliases } from '../platform/database/aliases.ts'
import type { AccountId, Viewer } from '../platform/http/viewer.ts'

/**
 * Whether the viewer may enter the statement's `project` row. Every `where` on data below a project needs it, so that
 * invisible rows are neither counted nor returned.
 */
export function mayEnter(viewer: Viewer, rows: Aliases<'project'>): RawBuilder<boolean> {
  return mayEnterAs(viewer, rows, isMemberOf(viewer, rows))
}

/** The same with a custom membership condition. */
export function mayEnterAs(
  viewer: Viewer,
  rows: Aliases<'project'>,
  belongs: RawBuilder<boolean>,
): RawBuilder<boolean> {
  const { account_id, is_site_admin, is_restricted } = viewer
  if (is_site_admin) return isNotDeleted(rows)
  const open = is_restricted ? sql`project.access = 'unrestricted'` : sql`project.access in ('public', 'unrestricted')`
  if (account_id === undefined) return sql`(${isReadableStatus} and ${open})`
  const within = isWithinKey(viewer, rows)
  const inside = is_restricted ? sql`project.access <> 'private-wo-restr' and ${belongs}` : belongs
  return sql`(${within} and ((${isReadableStatus} and ${open}) or (${isOpenToMembers} and ${inside})))`
}

/** Whether the `project` row is in a status in which people may read it who are not its members. */
export const isReadableStatus = sql<boolean>`project.status in ('active', 'archived')`

/** While an import runs, a project is hidden from everyone but its members. */
const isOpenToMembers = sql<boolean>`project.status in ('active', 'archived', 'importing')`

/** Deleted projects are hidden from everyone, including site administrators; only a restoration finds them. */
export function isNotDeleted(_rows: Aliases<'project'>): RawBuilder<boolean> {
  return sql`(project.status <> 'deleted')`
}

/** Whether the access key of the request is unlimited or valid for the `project` row. */
export function isWithinKey({ credential }: Viewer, _rows: Aliases<'project'>): RawBuilder<boolean> {
  return credential?.projects ? sql`project.id = any(${credential.projects}::bigint[])` : sql`true`
}

function isMember(account_id: AccountId): RawBuilder<boolean> {
  return sql`exists (select from project_member
    where project_member.project_id = project.id and project_member.account_id = ${account_id})`
}

/** Select-list expression: whether the viewer is a member. */
export function isMemberOf(viewer: Viewer, rows: Aliases<'project'>): RawBuilder<boolean> {
  const { account_id } = viewer
  return account_id === undefined ? sql`false` : sql`(${isWithinKey(viewer, rows)} and ${isMember(account_id)})`
}
