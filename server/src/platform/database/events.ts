import { type Generated, type GeneratedAlways, type RawBuilder, sql } from 'kysely'
import type { Origin } from './audit.ts'
import { type Db, inTransaction, type Tx } from './db.ts'

declare module './db.ts' {
  interface Tables {
    event: EventRow
    feed_epoch: { epoch: string; removed_xid: Generated<string>; removed_id: Generated<number> }
  }
}

interface EventRow {
  id: GeneratedAlways<number>
  xid: GeneratedAlways<string>
  on: Generated<Date>
  type: string
  object: string | null
  project_id: number | null
  actor_id: number | null
  request_id: string | null
  client_uuid: string | null
  payload: unknown
}

/** A position in the feed: everything up to and including this event has been read. */
export interface Cursor {
  xid: string
  id: number
}

export interface NewEvent {
  type: string
  object?: string
  project_id?: number
  payload?: object
}

export interface Event extends Cursor {
  type: string
  on: Date
  object: string | null
  project_id: number | null
  actor_id: number | null
  payload: unknown
}

export const FEED_START: Cursor = { xid: '0', id: 0 }

/** Records an event in the transaction of its change: it exists if and only if the change commits. */
export async function recordEvent(
  tx: Tx,
  origin: Origin,
  { type, object, project_id, payload }: NewEvent,
): Promise<void> {
  const row = sql`values (${type}::text, ${object ?? null}::text, ${project_id ?? null}::bigint,
    ${JSON.stringify(payload ?? {})}::jsonb)`
  await insertEventsSql(origin, row).execute(tx)
}

/** The same as part of a writing statement; `rows` are (type, object, project_id, payload). */
export function insertEventsSql(
  { viewer, request_id, client_uuid, isSilent }: Origin,
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const silence = isSilent ? sql` || '{"silent":true}'` : sql``
  return sql`
    insert into event (type, object, project_id, payload, actor_id, request_id, client_uuid)
    select candidate.type, candidate.object, candidate.project_id, candidate.payload${silence},
      ${viewer.account_id ?? null}::bigint, ${request_id}::text, ${client_uuid ?? null}::text
    from (${rows}) as candidate (type, object, project_id, payload)`
}

/**
 * Ids are drawn in one order and committed in another, so a reader by id alone would skip late commits. This stops
 * before the oldest open transaction: nothing can be added before the cursor any more. A writer that has seen another
 * change comes after it, so versions of one object are in order. For use in `from`.
 */
export function eventsAfterSql(after: Cursor, limit: number): RawBuilder<unknown> {
  return sql`
    select event.xid, event.id, event.type, event."on", event.object, event.project_id, event.actor_id,
      event.request_id, event.client_uuid, event.payload
    from event
    where (event.xid, event.id) > (${after.xid}::xid8, ${after.id}) and ${isSettled}
    order by event.xid, event.id
    limit ${limit}`
}

/** A cursor stored in columns of another table. */
interface CursorColumns {
  readonly xid: RawBuilder<unknown>
  readonly id: RawBuilder<unknown>
}

/** Whether a settled event after this cursor matches; the condition may use `event`. */
export function hasEventAfter({ xid, id }: CursorColumns, matches: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql`exists (select from event where (event.xid, event.id) > (${xid}, ${id}) and ${isSettled} and ${matches})`
}

/** Whether more events than this follow the cursor. */
export function hasMoreEventsAfter({ xid, id }: CursorColumns, count: number): RawBuilder<boolean> {
  return sql`(select count(*) > ${count} from (
    select from event where (event.xid, event.id) > (${xid}, ${id}) limit ${count + 1}) behind)`
}

/** The horizon of the statement: no event will ever be added before it. */
export const settledXid = sql`pg_snapshot_xmin(pg_current_snapshot())`

const isSettled = sql<boolean>`event.xid < pg_snapshot_xmin(pg_current_snapshot())`

export async function readEventsAfter(db: Db, after: Cursor, limit = 100): Promise<Event[]> {
  const { rows } = await sql<Event>`
    select candidate.xid::text, candidate.id, candidate.type, candidate."on", candidate.object, candidate.project_id, candidate.actor_id, candidate.payload
    from (${eventsAfterSql(after, limit)}) candidate
    order by candidate.xid, candidate.id -- qualified: a bare xid would be the text above, and '10' sorts before '9'`.execute(
    db,
  )
  return rows
}

/** The current bounds of the feed. */
export interface FeedState {
  readonly epoch: string
  /** The last event that was removed by retention. */
  readonly removed: Cursor
  /** After everything that can be read now: no event will ever be added before it. */
  readonly horizon: Cursor
  /** The last event that can be read now. */
  readonly newest: Cursor
}

/** For statements that also read events, so that both are of one snapshot. */
export const feedState: RawBuilder<FeedState> = sql`
  select feed_epoch.epoch,
    jsonb_build_object('xid', feed_epoch.removed_xid::text, 'id', feed_epoch.removed_id) as removed,
    jsonb_build_object('xid', pg_snapshot_xmin(pg_current_snapshot())::text, 'id', 0) as horizon,
    coalesce(
      (select jsonb_build_object('xid', event.xid::text, 'id', event.id) from event where ${isSettled}
        order by event.xid desc, event.id desc limit 1),
      '{"xid":"0","id":0}') as newest
  from feed_epoch`

export async function readFeedState(db: Db): Promise<FeedState> {
  const { rows } = await feedState.execute(db)
  const [state] = rows
  if (!state) throw new TypeError('The feed has no epoch.')
  return state
}

export function isCursorAfter(one: Cursor, other: Cursor): boolean {
  const [xid, otherXid] = [BigInt(one.xid), BigInt(other.xid)]
  return xid > otherXid || (xid === otherXid && one.id > other.id)
}

const DELETE_BATCH_SIZE = 5000

/**
 * Removes events before a time, oldest first, in batches, and stores how far it came. Stops at the first event to keep,
 * so that the rest has no gaps.
 */
export async function deleteEventsBefore(db: Db, before: Date): Promise<number> {
  for (let total = 0; ; ) {
    const count = await inTransaction(db, (tx) => deleteOldestBatch(tx, before))
    total += count
    if (count < DELETE_BATCH_SIZE) return total
  }
}

async function deleteOldestBatch(tx: Tx, before: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with oldest as materialized (
      select event.xid, event.id, event."on" from event order by event.xid, event.id limit ${DELETE_BATCH_SIZE}
    ), kept as materialized (
      select oldest.xid, oldest.id from oldest where oldest."on" >= ${before} order by oldest.xid, oldest.id limit 1
    ), gone as (
      delete from event using oldest
      where event.id = oldest.id
        and not exists (select from kept where (oldest.xid, oldest.id) >= (kept.xid, kept.id))
      returning event.xid, event.id
    ), remembered as (
      update feed_epoch set removed_xid = last.xid, removed_id = last.id
      from (select gone.xid, gone.id from gone order by gone.xid desc, gone.id desc limit 1) last
    )
    select count(*) from gone`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The latest events of these types in a project, newest first; one index lookup per type. */
export async function findLatestEvents(
  db: Db,
  project_id: number,
  types: readonly string[],
  limit: number,
): Promise<Event[]> {
  const { rows } = await sql<Event>`
    select latest.* from unnest(${types}::text[]) as wanted (type) cross join lateral (
      select event.xid::text, event.id, event.type, event."on", event.object, event.project_id, event.actor_id,
        event.payload
      from event where event.project_id = ${project_id} and event.type = wanted.type
      order by event.id desc limit ${limit}
    ) latest
    order by latest.id desc limit ${limit}`.execute(db)
  return rows
}

/** Events by id, settled or not: for a reader that has read them before, or for the transaction that writes them. */
export function eventsByIdSql(ids: readonly number[]): RawBuilder<unknown> {
  return sql`
    select event.xid, event.id, event.type, event."on", event.object, event.project_id, event.actor_id,
      event.request_id, event.client_uuid, event.payload
    from event where event.id = any(${ids}::bigint[])`
}

/** Events of an object since this transaction first wrote, by itself or by transactions that have ended since. */
export async function findEventsSinceTransactionBegan(tx: Db | Tx, object: string): Promise<Event[]> {
  const { rows } = await sql<Event>`
    select event.xid::text, event.id, event.type, event."on", event.object, event.project_id, event.actor_id,
      event.payload
    from event where event.xid >= pg_current_xact_id() and event.object = ${object} order by event.id`.execute(tx)
  return rows
}
