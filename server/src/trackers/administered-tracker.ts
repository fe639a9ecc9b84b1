import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../platform/http/viewer.ts'
import { administers } from './visibility.ts'

/** Whether the viewer administers a tracker of the row of `project` that the statement looks at. */
export function administersATracker(viewer: Viewer): RawBuilder<boolean> {
  return sql`exists (select from tracker
    where tracker.project_id = project.id and tracker.deleted_on is null and ${administers(viewer)})`
}
