import { type RawBuilder, sql } from 'kysely'
import { inTransaction } from '../platform/database/db.ts'
import type { ProjectId } from '../projects/project.ts'
import type { ProjectContents } from '../projects/trash/project-contents.ts'
import type { ProjectPurger } from '../projects/trash/purge-projects.ts'
import { purgeTracker } from './purge-tracker.ts'
import type { TrackerId } from './tracker.ts'

/** The ids of all trackers of a project, deleted or not. */
export function trackersOfProject(project: ProjectId): RawBuilder<unknown> {
  return sql`select tracker.id from tracker where tracker.project_id = ${project}`
}

/** Purges the trackers of a project one by one; their artifacts are gone. */
export const purgeTrackersOfProject: ProjectPurger = async ({ db }, { id }) => {
  const { rows } = await sql<{ id: TrackerId }>`${trackersOfProject(id)} order by tracker.id`.execute(db)
  for (const tracker of rows) await inTransaction(db, (tx) => purgeTracker(tx, tracker.id))
  await sql`delete from disabled_link_type where project_id = ${id}`.execute(db)
  return 'done'
}

export const countTrackers: ProjectContents = async (db, project) => {
  const { rows } = await sql<{ trackers: number; artifacts: number }>`
    select count(*) as trackers, coalesce(sum(tracker_counter.artifacts), 0)::bigint as artifacts
    from tracker left join tracker_counter on tracker_counter.tracker_id = tracker.id
    where tracker.project_id = ${project} and tracker.deleted_on is null`.execute(db)
  return { ...rows[0] }
}
