import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from './db.ts'

/**
 * For `from`, as `feed_end`: epoch and last position, and `xid` for stored cursors of the old form. A reader at the last
 * position has read everything before it, in the order of transactions too.
 */
export const feedEnd: RawBuilder<unknown> = sql`(
  select feed_epoch.epoch, feed_sequence.position, pg_snapshot_xmin(feed_sequence.snapshot) as xid
  from feed_epoch cross join feed_sequence) feed_end`

/** The position of the event with this id; null: it has none yet, or is removed. */
export function eventPosition(id: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql`(select event_position.position from event_position where event_position.event_id = ${id})`
}

interface ResolvedPosition {
  /** That before the first event that the cursor has not read. */
  readonly position: number
  /** Removed events, or lost ones, may be missing after the cursor. */
  readonly is_expired: boolean
}

/** The position of a cursor in the order of transactions: everything up to this transaction and event has been read. */
export async function findPositionBefore(db: Db | Tx, xid: string, id: number): Promise<ResolvedPosition> {
  const { rows } = await sql<ResolvedPosition>`
    select feed_position_before(${xid}::xid8, ${id}) as position,
      (feed_epoch.removed_xid, feed_epoch.removed_id) > (${xid}::xid8, ${id}::bigint)
        or ${xid}::xid8 > pg_snapshot_xmax(pg_current_snapshot()) as is_expired
    from feed_epoch`.execute(db)
  const [found] = rows
  if (!found) throw new TypeError('The feed has no epoch.')
  return found
}

export async function findEventPosition(db: Db | Tx, id: number): Promise<number | null> {
  const { rows } = await sql<{
    position: number | null
  }>`select ${eventPosition(sql`${id}::bigint`)} as position`.execute(db)
  return rows[0]?.position ?? null
}
