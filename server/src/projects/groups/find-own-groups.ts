import type { Db, Tx } from '../../platform/database/db.ts'
import type { ProjectId, UserGroupId } from '../project.ts'

/** The groups that a project has made itself. */
export async function findOwnGroups(
  db: Db | Tx,
  project: ProjectId,
): Promise<{ id: UserGroupId; short_name: string }[]> {
  return db.selectFrom('user_group').select(['id', 'short_name']).where('project_id', '=', project).execute()
}
