import { type RawBuilder, sql } from 'kysely'
import type { Aliases } from '../../platform/database/aliases.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { isWithinKey } from '../visibility.ts'

const isInTrash = sql<boolean>`(project.status = 'deleted' and project.purge_begun_on is null)`

/**
 * Deleted projects, as SQL for the trash list: type, id, label, project_id, tracker_id, deleted_by, deleted_on. The
 * last two are null in projects that an earlier version deleted.
 */
export const deletedProjects = sql`select 'project' as type, project.id, project.label, project.id as project_id,
  null::bigint as tracker_id, project.deleted_by, project.deleted_on from project where ${isInTrash}`

/** Whether the `project` row is in the trash and the viewer may restore it: its administrators, and those of the site. */
export function isRestorable(viewer: Viewer, rows: Aliases<'project'>): RawBuilder<boolean> {
  if (viewer.is_site_admin) return isInTrash
  const isOpen = viewer.is_restricted ? sql`project.access <> 'private-wo-restr'` : sql`true`
  return sql`(${isInTrash} and ${isWithinKey(viewer, rows)} and ${isOpen} and exists (select from project_member member
    where member.project_id = project.id and member.account_id = ${viewer.account_id ?? null}::bigint and member.is_admin))`
}
