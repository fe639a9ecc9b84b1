import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/db.ts'
import type { ResourceVersion } from '../platform/wire/etag.ts'
import type { Tracker, TrackerId } from './tracker.ts'

/** The version that the ETag of the order of artifacts identifies. */
export function rankVersion(tracker_id: TrackerId, version: number): ResourceVersion {
  return { kind: 'rank', id: tracker_id, version }
}

/** The version of the order of artifacts in a tracker; 0 if no artifact was ever moved. */
export async function loadRankVersion(db: Db | Tx, id: TrackerId): Promise<number> {
  const found = await db.selectFrom('tracker_rank').select('version').where('tracker_id', '=', id).executeTakeFirst()
  return found?.version ?? 0
}

/** Locks the order of a tracker until the transaction ends, and returns its version. */
export async function lockRank(tx: Tx, { id, project_id }: Pick<Tracker, 'id' | 'project_id'>): Promise<number> {
  // Moves in one tracker wait for each other; each is short, so a queue of many is not an error.
  await sql`set local lock_timeout = '4500ms'`.execute(tx)
  const { rows } = await sql<{ version: number }>`
    insert into tracker_rank (tracker_id, project_id) values (${id}, ${project_id})
    on conflict (tracker_id) do update set version = tracker_rank.version returning version`.execute(tx)
  return rows[0]?.version ?? 0
}

/** The order must be locked. */
export async function raiseRankVersion(tx: Tx, id: TrackerId): Promise<number> {
  const { version } = await tx
    .updateTable('tracker_rank')
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('tracker_id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}
