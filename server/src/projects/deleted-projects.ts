import { sql } from 'kysely'

/**
 * Deleted projects, for a statement of another room: type, id, label, project_id, tracker_id, deleted_by, deleted_on. Who
 * deleted them, and when, nothing tells.
 */
export const deletedProjects = sql`select 'project' as type, project.id, project.label, project.id as project_id,
  null::bigint as tracker_id, null::bigint as deleted_by, null::timestamptz as deleted_on
  from project where project.status = 'deleted'`
