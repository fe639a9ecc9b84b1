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

/** A place in the feed: everything up to and with this event has been read. */
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

export const BEGINNING: Cursor = { xid: '0', id: 0 }

/** Tells of a change, in its transaction: an event exists if, and only if, its change commits. */
export async function recordEvent(
  tx: Tx,
  origin: Origin,
  { type, object, project_id, payload }: NewEvent,
): Promise<void> {
  const row = sql`values (${type}::text, ${object ?? null}::text, ${project_id ?? null}::bigint,
    ${JSON.stringify(payload ?? {})}::jsonb)`
  await recordEvents(origin, row).execute(tx)
}

/** The same as a part of a writing statement; `rows` are (type, object, project_id, payload). */
export function recordEvents(
  { viewer, request_id, client_uuid, isSilent }: Origin,
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const silence = isSilent ? sql` || '{"silent":true}'` : sql``
  return sql`
    insert into event (type, object, project_id, payload, actor_id, request_id, client_uuid)
    select told.type, told.object, told.project_id, told.payload${silence},
      ${viewer.account_id ?? null}::bigint, ${request_id}::text, ${client_uuid ?? null}::text
    from (${rows}) as told (type, object, project_id, payload)`
}

/**
 * Ids are drawn in one order and committed in another, so a reader that goes by id skips whoever commits late.
 * These stop before the oldest transaction still running: what a reader passes by can no longer gain events. Whoever
 * wrote knowing of another change stands behind it, so versions of one object are in their order. For the `from` of
 * another statement.
 */
export function eventsAfter(after: Cursor, limit: number): RawBuilder<unknown> {
  return sql`
    select event.xid, event.id, event.type, event."on", event.object, event.project_id, event.actor_id,
      event.request_id, event.client_uuid, event.payload
    from event
    where (event.xid, event.id) > (${after.xid}::xid8, ${after.id}) and ${isSettled}
    order by event.xid, event.id
    limit ${limit}`
}

/** A place that stands in a row of another table: columns of it. */
interface StoredPlace {
  readonly xid: RawBuilder<unknown>
  readonly id: RawBuilder<unknown>
}

/** Whether an event stands behind such a place, can be read, and matches: its row is `event`. */
export function anyEventBehind({ xid, id }: StoredPlace, matches: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql`exists (select from event where (event.xid, event.id) > (${xid}, ${id}) and ${isSettled} and ${matches})`
}

/** Whether more events than this stand behind such a place. */
export function moreEventsBehind({ xid, id }: StoredPlace, count: number): RawBuilder<boolean> {
  return sql`(select count(*) > ${count} from (
    select from event where (event.xid, event.id) > (${xid}, ${id}) limit ${count + 1}) behind)`
}

/** Behind everything that the statement can read: nothing before it will ever be added. */
export const settledXid = sql`pg_snapshot_xmin(pg_current_snapshot())`

const isSettled = sql<boolean>`event.xid < pg_snapshot_xmin(pg_current_snapshot())`

export async function readEvents(db: Db, after: Cursor, limit = 100): Promise<Event[]> {
  const { rows } = await sql<Event>`
    select told.xid::text, told.id, told.type, told."on", told.object, told.project_id, told.actor_id, told.payload
    from (${eventsAfter(after, limit)}) told
    order by told.xid, told.id -- qualified: a bare xid would be the text above, and '10' sorts before '9'`.execute(db)
  return rows
}

/** What there is of the feed at this moment. */
export interface FeedState {
  readonly epoch: string
  /** The last that was removed for its age. */
  readonly removed: Cursor
  /** Behind everything that can be read now: nothing before it will ever be added. */
  readonly horizon: Cursor
  /** The last that can be read now. */
  readonly newest: Cursor
}

/** For statements that read events too, so that both are of one moment. */
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

export function isAfter(one: Cursor, other: Cursor): boolean {
  const [xid, otherXid] = [BigInt(one.xid), BigInt(other.xid)]
  return xid > otherXid || (xid === otherXid && one.id > other.id)
}

const AT_ONCE = 5000

/**
 * Removes events from before a moment, the oldest first, some at a time, and remembers how far it came. It stops at the
 * first that is to stay, so that what is left has no gaps.
 */
export async function removeEvents(db: Db, before: Date): Promise<number> {
  for (let total = 0; ; ) {
    const count = await inTransaction(db, (tx) => removeOldest(tx, before))
    total += count
    if (count < AT_ONCE) return total
  }
}

async function removeOldest(tx: Tx, before: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with oldest as materialized (
      select event.xid, event.id, event."on" from event order by event.xid, event.id limit ${AT_ONCE}
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

/** The latest events of these types in a project, the newest first; each type is looked up in the index by itself. */
export async function latestEvents(
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

/** These events, settled or not: for whoever has read them before, or writes them in this very transaction. */
export function eventsWith(ids: readonly number[]): RawBuilder<unknown> {
  return sql`
    select event.xid, event.id, event.type, event."on", event.object, event.project_id, event.actor_id,
      event.request_id, event.client_uuid, event.payload
    from event where event.id = any(${ids}::bigint[])`
}

/** What has been told of an object since this transaction first wrote, by itself or by others who have ended since. */
export async function eventsSinceBegin(tx: Db | Tx, object: string): Promise<Event[]> {
  const { rows } = await sql<Event>`
    select event.xid::text, event.id, event.type, event."on", event.object, event.project_id, event.actor_id,
      event.payload
    from event where event.xid >= pg_current_xact_id() and event.object = ${object} order by event.id`.execute(tx)
  return rows
}
