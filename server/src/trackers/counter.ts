import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../platform/database/db.ts'
import { itsProject } from '../projects/its-project.ts'
import { type LoadedTracker, stamp } from './load-tracker.ts'
import type { TrackerId } from './tracker.ts'

/**
 * Draws the next number of a tracker, as a part of a writing statement: (project_id, tracker_id, last_number). The lock
 * on the counter lets one creation pass after the other. Nothing comes if the tracker is not what the caller looked at, or
 * if something else that the statement looks at is not (`holds`).
 */
export function drawNumbers(
  tracker: LoadedTracker,
  count = 1,
  holds: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  return sql`
    update tracker_counter set last_number = last_number + ${count}, artifacts = artifacts + ${count}
    from tracker ${itsProject(sql`tracker.project_id`)}
    where tracker_counter.tracker_id = ${tracker.id} and tracker.id = ${tracker.id}
      and tracker.deleted_on is null and ${stamp} = ${tracker.stamp} and ${holds}
    returning tracker_counter.project_id, tracker_counter.tracker_id, last_number`
}

/** Counts artifacts that come back, or go, as a part of a writing statement; `rows` have a `tracker_id` each. */
export function countArtifacts(rows: RawBuilder<unknown>, each: 1 | -1): RawBuilder<unknown> {
  return sql`
    update tracker_counter set artifacts = artifacts + ${each} * moved.number
    from (select tracker_id, count(*) as number from ${rows} group by tracker_id) as moved
    where tracker_counter.tracker_id = moved.tracker_id`
}

/** How many artifacts the row of `tracker` that the statement looks at has. */
export const artifactCount: RawBuilder<number> = sql`(select tracker_counter.artifacts from tracker_counter
  where tracker_counter.tracker_id = tracker.id)`

/** Whoever counts in one of these trackers waits. In the order of their ids, so that two never wait for each other. */
export async function lockCounters(tx: Tx, trackers: readonly TrackerId[]): Promise<void> {
  await sql`
    select from tracker_counter where tracker_counter.tracker_id = any(${trackers}::bigint[])
    order by tracker_counter.tracker_id for update`.execute(tx)
}
