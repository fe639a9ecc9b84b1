import { sql } from 'kysely'
import type { Db, Tx } from './db.ts'

/** After a restore, older cursors may name other events, so they must expire. */
export async function beginFeedEpoch(db: Db | Tx): Promise<void> {
  await sql`update feed_epoch set epoch = default`.execute(db)
}
