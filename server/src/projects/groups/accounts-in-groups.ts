import { type RawBuilder, sql } from 'kysely'
import type { ProjectId } from '../project.ts'

/**
 * Subquery for the ids of the accounts in any of these groups of the project: dynamic groups by number, custom groups
 * by id. A bound group has the members of its source.
 */
export function accountsInGroups(project: ProjectId, groups: readonly number[]): RawBuilder<unknown> {
  const isNamed = (group: number) => sql`${groups.includes(group)}::boolean`
  return sql`select member.account_id from project_member member
      where member.project_id = ${project} and (${isNamed(3)} or (${isNamed(4)} and member.is_admin)
        or (${isNamed(19)} and member.is_svn_admin))
    union
    select user_group_member.account_id from user_group
      join user_group_member on user_group_member.user_group_id = coalesce(user_group.bound_to, user_group.id)
    where user_group.project_id = ${project} and user_group.id = any(${groups}::bigint[])`
}
