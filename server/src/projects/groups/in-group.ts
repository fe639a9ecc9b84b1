import { type RawBuilder, sql } from 'kysely'
import type { Aliases } from '../../platform/database/aliases.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { isWithinKey } from '../visibility.ts'

/**
 * Whether the viewer is in a group, relative to the statement's `project` row: a platform group, a dynamic group of
 * that project, or the id of a custom group.
 */
export function inGroup(viewer: Viewer, rows: Aliases<'project'>, group: RawBuilder<unknown>): RawBuilder<boolean> {
  const { account_id, is_restricted } = viewer
  if (account_id === undefined) return sql`(${group} = 1)`
  const everybody = is_restricted ? sql`(1, 5)` : sql`(1, 2, 5)`
  return sql`(${isWithinKey(viewer, rows)} and
    (${group} in ${everybody} or ${accountInGroup(sql`${account_id}::bigint`, group)}))`
}

/** The same for any account, limited to groups that have members. */
function accountInGroup(account: RawBuilder<unknown>, group: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(case
    when ${group} > 100 then exists (select from user_group
      join user_group_member on user_group_member.user_group_id = coalesce(user_group.bound_to, user_group.id)
      where user_group.id = ${group} and user_group_member.account_id = ${account})
    else exists (select from project_member
      where project_member.project_id = project.id and project_member.account_id = ${account}
        and case ${group} when 3 then true when 4 then project_member.is_admin when 19 then project_member.is_svn_admin
          else false end) end)`
}
