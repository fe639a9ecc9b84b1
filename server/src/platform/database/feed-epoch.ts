import { sql } from 'kysely'
import type { Db, Tx } from './db.ts'

/** After a restore: places in the feed that were handed out before name events that may be others now. */
export async function beginFeedEpoch(db: Db | Tx): Promise<void> {
  await sql`update feed_epoch set epoch = default`.execute(db)
}
