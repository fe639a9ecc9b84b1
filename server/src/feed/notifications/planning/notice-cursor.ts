import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/db.ts'
import { type Cursor, type Event, eventsAfterSql } from '../../../platform/database/events.ts'
import { feedEnd } from '../../../platform/database/feed-end.ts'

/**
 * How far the feed is read for notifications. An event is read if it is at or before either form: servers of the
 * previous version move only (xid, id).
 */
export interface NoticeCursor extends Cursor {
  readonly epoch: string
  readonly xid: string
  readonly id: number
}

export async function findNoticeCursor(db: Db): Promise<NoticeCursor> {
  const { rows } = await sql<NoticeCursor>`
    select notice_reader.epoch, notice_reader.position, notice_reader.xid::text as xid, notice_reader.id
    from notice_reader`.execute(db)
  const [cursor] = rows
  if (!cursor) throw new TypeError('The notifications have no cursor.')
  return cursor
}

/** Continues with events that are not committed yet. */
export async function resetNoticeCursor(db: Db): Promise<void> {
  await sql`
    update notice_reader set epoch = feed_end.epoch, position = feed_end.position, xid = feed_end.xid, id = 0
    from ${feedEnd}`.execute(db)
}

interface NoticeBatch {
  readonly events: readonly Event[]
  /** The last event that was looked at, which may be read already. */
  readonly last?: Cursor
  readonly isFull: boolean
}

/** The events after the cursor in the order of the feed, without those that a server of the previous version has read. */
export async function readNoticeBatch(db: Db, cursor: NoticeCursor, limit: number): Promise<NoticeBatch> {
  const { rows } = await sql<Event & { is_read: boolean }>`
    select candidate.position, candidate.id, candidate.type, candidate."on", candidate.object, candidate.project_id,
      candidate.actor_id, candidate.payload,
      (candidate.xid, candidate.id) <= (${cursor.xid}::xid8, ${cursor.id}::bigint) as is_read
    from (${eventsAfterSql(cursor, limit)}) candidate
    order by candidate.position`.execute(db)
  const last = rows.at(-1)
  return { events: rows.filter(({ is_read }) => !is_read), ...(last && { last }), isFull: rows.length === limit }
}

/** Compare-and-swap; false: another worker has moved it. At the end of the feed it moves the old form too. */
export async function moveNoticeCursor(tx: Tx, from: NoticeCursor, { position }: Cursor): Promise<boolean> {
  const settled = sql`feed_end.position = ${position}::bigint and feed_end.xid > notice_reader.xid`
  const { numAffectedRows } = await sql`
    update notice_reader set position = ${position}::bigint,
      xid = case when ${settled} then feed_end.xid else notice_reader.xid end,
      id = case when ${settled} then 0 else notice_reader.id end
    from ${feedEnd}
    where notice_reader.epoch = ${from.epoch} and notice_reader.position = ${from.position}
      and notice_reader.xid = ${from.xid}::xid8 and notice_reader.id = ${from.id}`.execute(tx)
  return numAffectedRows === 1n
}
