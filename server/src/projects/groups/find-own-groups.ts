import type { Db, Tx } from '../../platform/database/db.ts'
import type { ProjectId, UserGroupId } from '../project.ts'

/** The custom groups of a project. */
export async function findOwnGroups(
  db: Db | Tx,
  project: ProjectId,
): Promise<{ id: UserGroupId; short_name: string }[]> {
  return db.selectFrom('user_group').select(['id', 'short_name']).where('project_id', '=', project).execute()
}
