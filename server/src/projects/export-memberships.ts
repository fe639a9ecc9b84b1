import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { ExportSource } from '../accounts/exports/export-source.ts'
import { apiDate } from '../platform/wire/dates.ts'
import type { ProjectId } from './project.ts'
import { mayEnter } from './visibility.ts'

interface ExportedMembership {
  project_id: ProjectId
  shortname: string
  label: string
  is_admin: boolean | null
  is_svn_admin: boolean | null
  added_on: Date | null
  user_groups: string[]
}

/** The projects of an account, as a member or through a group only, that it may still enter. */
export const membershipExport: ExportSource = {
  name: 'memberships',
  async read(tx, _context, person) {
    const { rows } = await sql<ExportedMembership>`
      select project.id as project_id, project.shortname, project.label, member.is_admin, member.is_svn_admin,
        member.added_on, coalesce(grouped.names, '{}') as user_groups
      from project
        left join project_member member on member.project_id = project.id and member.account_id = ${person.account_id}
        left join (
          select user_group.project_id, array_agg(user_group.short_name order by user_group.short_name) as names
          from user_group_member join user_group on user_group.id = user_group_member.user_group_id
          where user_group_member.account_id = ${person.account_id} group by user_group.project_id
        ) grouped on grouped.project_id = project.id
      where (member.account_id is not null or grouped.project_id is not null) and ${mayEnter(person, aliases('project'))}
      order by project.id`.execute(tx)
    return rows.map(({ project_id, shortname, label, is_admin, is_svn_admin, added_on, user_groups }) => ({
      project: { id: project_id, uri: `projects/${project_id}`, shortname, label },
      is_member: added_on !== null,
      is_admin: is_admin ?? false,
      is_svn_admin: is_svn_admin ?? false,
      added_on: added_on && apiDate(added_on),
      user_groups,
    }))
  },
}
