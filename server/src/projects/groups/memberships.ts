import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../platform/http/viewer.ts'

/**
 * Everything that the viewer belongs to, as one row: for a statement that asks about many rows in many projects, and
 * looks it up once. It is joined as `me`.
 */
export function memberships({ account_id }: Viewer): RawBuilder<unknown> {
  const mine = sql`project_member.account_id = ${account_id ?? null}::bigint`
  return sql`select
    array(select project_member.project_id from project_member where ${mine}) as member_of,
    array(select project_member.project_id from project_member where ${mine} and is_admin) as admin_of,
    array(select project_member.project_id from project_member where ${mine} and is_svn_admin) as svn_admin_of,
    array(select coalesce(bound.id, user_group_member.user_group_id) from user_group_member
      left join user_group bound on bound.bound_to = user_group_member.user_group_id
      where user_group_member.account_id = ${account_id ?? null}::bigint
      union all
      select user_group_member.user_group_id from user_group_member
      where user_group_member.account_id = ${account_id ?? null}::bigint) as groups`
}

/** Whether the viewer is in a group of the row of `project`, by the row of `me`. */
export function amIn({ account_id, is_restricted }: Viewer, group: RawBuilder<unknown>): RawBuilder<boolean> {
  if (account_id === undefined) return sql`(${group} = 1)`
  const everybody = is_restricted ? sql`(1, 5)` : sql`(1, 2, 5)`
  return sql`(${group} in ${everybody} or ${group} = any(me.groups) or ${group} = 3 and ${amMember}
    or ${group} = 4 and ${amAdmin} or ${group} = 19 and project.id = any(me.svn_admin_of))`
}

/** Whether one of an array of groups is one of the viewer's. */
export function amInOneOf(viewer: Viewer, groups: RawBuilder<unknown>): RawBuilder<boolean> {
  if (viewer.account_id === undefined) return sql`(1 = any(${groups}))`
  const everybody = viewer.is_restricted ? sql`'{1,5}'::bigint[]` : sql`'{1,2,5}'::bigint[]`
  return sql`(${groups} && ${everybody} or ${groups} && me.groups or 3 = any(${groups}) and ${amMember}
    or 4 = any(${groups}) and ${amAdmin} or 19 = any(${groups}) and project.id = any(me.svn_admin_of))`
}

/** Every group of the viewer that the row of `project` knows (`groupsOfViewer`), by the row of `me`: an array. */
export function myGroups({ account_id, is_restricted }: Viewer): RawBuilder<readonly number[]> {
  if (account_id === undefined) return sql`'{1}'::bigint[]`
  const everybody = is_restricted ? sql`'{1,5}'::bigint[]` : sql`'{1,2,5}'::bigint[]`
  return sql`(${everybody} || case when ${amMember} then '{3}'::bigint[] end || case when ${amAdmin} then '{4}'::bigint[] end
    || case when project.id = any(me.svn_admin_of) then '{19}'::bigint[] end
    || array(select user_group.id from user_group where user_group.project_id = project.id
      and user_group.id = any(me.groups)))`
}

export const amMember: RawBuilder<boolean> = sql`project.id = any(me.member_of)`
export const amAdmin: RawBuilder<boolean> = sql`project.id = any(me.admin_of)`
