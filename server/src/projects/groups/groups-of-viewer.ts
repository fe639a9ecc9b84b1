import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { ProjectId } from '../project.ts'

/** Every group of the viewer that is relevant in this project. */
export async function groupsOfViewer(db: Db | Tx, viewer: Viewer, project: ProjectId): Promise<ReadonlySet<number>> {
  const { account_id, is_restricted, credential } = viewer
  if (account_id === undefined) return new Set([1])
  if (credential?.projects && !credential.projects.includes(project)) return new Set()
  const { rows } = await sql<{ number: number }>`
    select dynamic.number::bigint as number from project_member, lateral (
      values (3, true), (4, project_member.is_admin), (19, project_member.is_svn_admin)
    ) as dynamic (number, is_in)
    where project_member.project_id = ${project} and project_member.account_id = ${account_id} and dynamic.is_in
    union all
    select user_group.id from user_group
      join user_group_member on user_group_member.user_group_id = coalesce(user_group.bound_to, user_group.id)
    where user_group.project_id = ${project} and user_group_member.account_id = ${account_id}`.execute(db)
  return new Set([1, 5, ...(is_restricted ? [] : [2]), ...rows.map(({ number }) => number)])
}
