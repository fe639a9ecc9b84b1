import { sql } from 'kysely'
import type { Tx } from '../platform/database/db.ts'
import type { TrackerId } from './tracker.ts'

/** Makes all processes load the tracker again, or all trackers: data about it has changed that they keep in memory. */
export async function renewAccessVersions(tx: Tx, tracker?: TrackerId): Promise<void> {
  await sql`update tracker set rights_epoch = rights_epoch + 1
    where ${tracker === undefined ? sql`true` : sql`id = ${tracker}`}`.execute(tx)
}
