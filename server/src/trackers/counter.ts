import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../platform/database/db.ts'
import { joinProject } from '../projects/project-sql.ts'
import { type LoadedTracker, accessVersion } from './load-tracker.ts'
import type { TrackerId } from './tracker.ts'

/**
 * CTE that allocates the next artifact numbers of a tracker and counts their artifacts: (project_id, tracker_id,
 * last_number). The row stays locked until the transaction ends; creations without a transaction use `NumberSource`
 * and `countCreation`. Returns no row if the tracker has changed since it was loaded, or if `holds` is false.
 */
export function drawNumbers(
  tracker: LoadedTracker,
  count = 1,
  holds: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  return sql`
    update tracker_total set last_number = last_number + ${count}, artifacts = artifacts + ${count}
    from tracker ${joinProject(sql`tracker.project_id`)}
    where tracker_total.tracker_id = ${tracker.id} and tracker.id = ${tracker.id}
      and tracker.deleted_on is null and ${accessVersion} = ${tracker.stamp} and ${holds}
    returning tracker_total.project_id, tracker_total.tracker_id, last_number`
}

/** CTE with the columns of `drawNumbers` for a number that is drawn already. */
export function useNumber(tracker: LoadedTracker, number: number): RawBuilder<unknown> {
  return sql`
    select tracker.project_id, tracker.id as tracker_id, ${number}::bigint as last_number
    from tracker ${joinProject(sql`tracker.project_id`)}
    where tracker.id = ${tracker.id} and tracker.deleted_on is null and ${accessVersion} = ${tracker.stamp}`
}

/** CTE that counts one artifact for each of `rows`, which have `project_id` and `tracker_id`, without a lock. */
export function countCreation(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into tracker_total_change (project_id, tracker_id, artifacts) select project_id, tracker_id, 1 from ${rows}`
}

/** CTE that adjusts the artifact counters when artifacts are restored or deleted; `rows` has a `tracker_id` column. */
export function countArtifacts(rows: RawBuilder<unknown>, each: 1 | -1): RawBuilder<unknown> {
  return sql`
    update tracker_total set artifacts = artifacts + ${each} * moved.number
    from (select tracker_id, count(*) as number from ${rows} group by tracker_id) as moved
    where tracker_total.tracker_id = moved.tracker_id`
}

/** The number of artifacts of the statement's `tracker` row. */
export const artifactCount: RawBuilder<number> = sql`(select tracker_counter.artifacts from tracker_counter
  where tracker_counter.tracker_id = tracker.id)`

/** Locks the counters of these trackers, in id order to prevent deadlocks. */
export async function lockCounters(tx: Tx, trackers: readonly TrackerId[]): Promise<void> {
  await sql`
    select from tracker_total where tracker_total.tracker_id = any(${trackers}::bigint[])
    order by tracker_total.tracker_id for update`.execute(tx)
}
