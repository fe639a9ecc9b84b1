import { type RawBuilder, sql } from 'kysely'
import type { Aliases } from '../../platform/database/aliases.ts'
import type { Viewer } from '../../platform/http/viewer.ts'

/**
 * All memberships of the viewer as one row, joined as `me`: for statements over many rows in many projects, which look
 * it up once.
 */
export function memberships({ account_id, credential }: Viewer): RawBuilder<unknown> {
  const within = credential?.projects
    ? sql`and project_member.project_id = any(${credential.projects}::bigint[])`
    : sql``
  const mine = sql`project_member.account_id = ${account_id ?? null}::bigint ${within}`
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

/** Whether the viewer is in a group of the `project` row, using the row of `me`. */
export function viewerIsInGroup(
  { account_id, is_restricted }: Viewer,
  rows: Aliases<'project' | 'me'>,
  group: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (account_id === undefined) return sql`(${group} = 1)`
  const everybody = is_restricted ? sql`(1, 5)` : sql`(1, 2, 5)`
  return sql`(${group} in ${everybody} or ${group} = any(me.groups) or ${group} = 3 and ${viewerIsMember(rows)}
    or ${group} = 4 and ${viewerIsAdmin(rows)} or ${group} = 19 and project.id = any(me.svn_admin_of))`
}

/** Whether the viewer is in one of an array of groups. */
export function viewerIsInAnyGroup(
  viewer: Viewer,
  rows: Aliases<'project' | 'me'>,
  groups: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (viewer.account_id === undefined) return sql`(1 = any(${groups}))`
  const everybody = viewer.is_restricted ? sql`'{1,5}'::bigint[]` : sql`'{1,2,5}'::bigint[]`
  return sql`(${groups} && ${everybody} or ${groups} && me.groups or 3 = any(${groups}) and ${viewerIsMember(rows)}
    or 4 = any(${groups}) and ${viewerIsAdmin(rows)} or 19 = any(${groups}) and project.id = any(me.svn_admin_of))`
}

/**
 * All groups of the viewer that are relevant in the `project` row (`groupsOfViewer`), as an array; uses the row of
 * `me`.
 */
export function viewerGroups(
  { account_id, is_restricted }: Viewer,
  rows: Aliases<'project' | 'me'>,
): RawBuilder<readonly number[]> {
  if (account_id === undefined) return sql`'{1}'::bigint[]`
  const everybody = is_restricted ? sql`'{1,5}'::bigint[]` : sql`'{1,2,5}'::bigint[]`
  return sql`(${everybody} || case when ${viewerIsMember(rows)} then '{3}'::bigint[] end || case when ${viewerIsAdmin(rows)} then '{4}'::bigint[] end
    || case when project.id = any(me.svn_admin_of) then '{19}'::bigint[] end
    || array(select user_group.id from user_group where user_group.project_id = project.id
      and user_group.id = any(me.groups)))`
}

export function viewerIsMember(_rows: Aliases<'project' | 'me'>): RawBuilder<boolean> {
  return sql`project.id = any(me.member_of)`
}

export function viewerIsAdmin(_rows: Aliases<'project' | 'me'>): RawBuilder<boolean> {
  return sql`project.id = any(me.admin_of)`
}
