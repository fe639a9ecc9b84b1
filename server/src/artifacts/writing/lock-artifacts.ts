import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { lockCounters } from '../../trackers/counter.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'

// A creation holds the counter of its tracker when it comes to the artifacts that it links to. So whoever needs both
// takes the counter first, and of several artifacts the one with the lower id: two never wait for each other.

/** For one that is counted among others after this: it stays as it is looked at, and so do these counters. */
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
