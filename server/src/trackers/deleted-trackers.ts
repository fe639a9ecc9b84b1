import { sql } from 'kysely'

/**
 * Trackers in the trash, as SQL for the trash list: type, id, label, project_id, tracker_id, deleted_by, deleted_on.
 */
export const deletedTrackers = sql`select 'tracker' as type, tracker.id, tracker.label, tracker.project_id,
  tracker.id as tracker_id, tracker.deleted_by, tracker.deleted_on from tracker where tracker.deleted_on is not null`
