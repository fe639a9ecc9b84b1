import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { lockCounters } from '../../trackers/counter.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'

// Lock order, to prevent deadlocks: the counter of the tracker first, then artifacts by ascending id. A creation
// already holds the counter when it locks the artifacts that it links to.

/** Locks an artifact and the counters of its tracker and of `others`, for a write that changes the counts. */
export async function lockWithCounters(tx: Tx, id: ArtifactId, others: readonly TrackerId[] = []): Promise<void> {
  const { rows } = await sql<{ tracker_id: TrackerId }>`select tracker_id from artifact where id = ${id}`.execute(tx)
  await lockCounters(tx, [...rows.map(({ tracker_id }) => tracker_id), ...others])
  await sql`select from artifact where id = ${id} for update`.execute(tx)
}

export async function lockArtifacts(tx: Tx, tracker: TrackerId, ids: readonly ArtifactId[]): Promise<void> {
  await sql`
    select from artifact where id = any(${ids}::bigint[]) and tracker_id = ${tracker}
    order by id for no key update`.execute(tx)
}
