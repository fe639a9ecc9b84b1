import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { administers } from './visibility.ts'

/** Whether the viewer administers any tracker of the statement's `project` row. */
export function administersATracker(viewer: Viewer): RawBuilder<boolean> {
  return sql`exists (select from tracker
    where tracker.project_id = project.id and tracker.deleted_on is null and ${administers(viewer, aliases('tracker', 'project'))})`
}
