import { type RawBuilder, sql } from 'kysely'
import { loginsAmong } from '../../accounts/users/logins-among.ts'

/** The people of a project by login, for systems that only know logins. */
export interface PeopleByLogin {
  readonly members: readonly string[]
  /** Custom groups by lower-case name, each with the members who may enter the project. */
  readonly groups: readonly { readonly name: string; readonly logins: readonly string[] }[]
}

const members = sql`select project_member.account_id from project_member where project_member.project_id = project.id`

const isMember = sql`exists (select from project_member
  where project_member.project_id = project.id and project_member.account_id = named.id)`

/** For the statement's `project` row. Deterministic: the same rows return the same text. */
export const peopleByLogin: RawBuilder<PeopleByLogin> = sql`jsonb_build_object(
  'members', (select coalesce(jsonb_agg(named.login order by named.login), '[]') from ${loginsAmong(members)} named),
  'groups', (select coalesce(jsonb_agg(jsonb_build_object('name', lower(user_group.short_name), 'logins', inside.logins)
      order by lower(user_group.short_name)), '[]')
    from user_group cross join lateral (
      select coalesce(jsonb_agg(named.login order by named.login), '[]') as logins
      from ${loginsAmong(sql`select user_group_member.account_id from user_group_member
        where user_group_member.user_group_id = coalesce(user_group.bound_to, user_group.id)`)} named
      where case when ${isMember} then not (named.is_restricted and project.access = 'private-wo-restr')
        else project.access = 'unrestricted' or project.access = 'public' and not named.is_restricted end
    ) inside
    where user_group.project_id = project.id))`
