import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../platform/database/db.ts'
import { joinProject } from '../projects/project-sql.ts'
import { type LoadedTracker, accessVersion } from './load-tracker.ts'
import type { TrackerId } from './tracker.ts'

/**
 * CTE that allocates the next artifact numbers of a tracker: (project_id, tracker_id, last_number). The row lock on the
 * counter serializes creations. Returns no row if the tracker has changed since it was loaded, or if `holds` is false.
 */
export function drawNumbers(
  tracker: LoadedTracker,
  count = 1,
  holds: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  return sql`
    update tracker_counter set last_number = last_number + ${count}, artifacts = artifacts + ${count}
    from tracker ${joinProject(sql`tracker.project_id`)}
    where tracker_counter.tracker_id = ${tracker.id} and tracker.id = ${tracker.id}
      and tracker.deleted_on is null and ${accessVersion} = ${tracker.stamp} and ${holds}
    returning tracker_counter.project_id, tracker_counter.tracker_id, last_number`
}

/** CTE that adjusts the artifact counters when artifacts are restored or deleted; `rows` has a `tracker_id` column. */
export function countArtifacts(rows: RawBuilder<unknown>, each: 1 | -1): RawBuilder<unknown> {
  return sql`
    update tracker_counter set artifacts = artifacts + ${each} * moved.number
    from (select tracker_id, count(*) as number from ${rows} group by tracker_id) as moved
    where tracker_counter.tracker_id = moved.tracker_id`
}

/** The number of artifacts of the statement's `tracker` row. */
export const artifactCount: RawBuilder<number> = sql`(select tracker_counter.artifacts from tracker_counter
  where tracker_counter.tracker_id = tracker.id)`

/** Locks the counters of these trackers, in id order to prevent deadlocks. */
export async function lockCounters(tx: Tx, trackers: readonly TrackerId[]): Promise<void> {
  await sql`
    select from tracker_counter where tracker_counter.tracker_id = any(${trackers}::bigint[])
    order by tracker_counter.tracker_id for update`.execute(tx)
}
