import { sql } from 'kysely'

/**
 * Deleted projects, as SQL for the trash list: type, id, label, project_id, tracker_id, deleted_by, deleted_on. The
 * last two are null: they are not recorded.
 */
export const deletedProjects = sql`select 'project' as type, project.id, project.label, project.id as project_id,
  null::bigint as tracker_id, null::bigint as deleted_by, null::timestamptz as deleted_on
  from project where project.status = 'deleted'`
