import { type RawBuilder, sql } from 'kysely'
import type { AccountId, Viewer } from '../platform/http/viewer.ts'

/**
 * Whether the viewer may enter the row of `project` that the statement looks at: for every `where` on something
 * below a project, so that what may not be seen is neither counted nor shown.
 */
export function mayEnter(viewer: Viewer): RawBuilder<boolean> {
  return mayEnterAs(viewer, isMemberOf(viewer))
}

/** The same, where the statement has another way to tell whether the viewer is a member. */
export function mayEnterAs(viewer: Viewer, belongs: RawBuilder<boolean>): RawBuilder<boolean> {
  const { account_id, is_site_admin, is_restricted } = viewer
  if (is_site_admin) return sql`true`
  const open = is_restricted ? sql`project.access = 'unrestricted'` : sql`project.access in ('public', 'unrestricted')`
  if (account_id === undefined) return sql`(project.status = 'active' and ${open})`
  const inside = is_restricted ? sql`project.access <> 'private-wo-restr' and ${belongs}` : belongs
  return sql`(project.status = 'active' and (${open} or (${inside})))`
}

function isMember(account_id: AccountId): RawBuilder<boolean> {
  return sql`exists (select from project_member
    where project_member.project_id = project.id and project_member.account_id = ${account_id})`
}

/** For the select list: whether the viewer is a member. */
export function isMemberOf({ account_id }: Viewer): RawBuilder<boolean> {
  return account_id === undefined ? sql`false` : isMember(account_id)
}
