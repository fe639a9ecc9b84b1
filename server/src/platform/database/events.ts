import { type Generated, type GeneratedAlways, type RawBuilder, sql } from 'kysely'
import type { Origin } from './audit.ts'
import { type Db, inTransaction, type Tx } from './db.ts'
import { hasUnsequencedEvents, sequenceEvents } from './sequence-events.ts'

declare module './db.ts' {
  interface Tables {
    event: EventRow
    feed_epoch: { epoch: string; removed_xid: Generated<string>; removed_id: Generated<number> }
  }
}

interface EventRow {
  id: GeneratedAlways<number>
  /** For servers of the previous version, which order by (xid, id). */
  xid: GeneratedAlways<string>
  /** The writing transaction; null in events from before the sequencer. */
  tx: GeneratedAlways<string | null>
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
  position: number
}

export interface NewEvent {
  type: string
  object?: string
  project_id?: number
  payload?: object
}

export interface EventContent {
  id: number
  type: string
  on: Date
  object: string | null
  project_id: number | null
  actor_id: number | null
  payload: unknown
}

export interface Event extends EventContent, Cursor {}

export const FEED_START: Cursor = { position: 0 }

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

/** The columns of an event for readers, with its position. */
const eventColumns = sql`event.id, event.xid, event.type, event."on", event.object, event.project_id, event.actor_id,
  event.request_id, event.client_uuid, event.payload`

/**
 * Events by position, for use in `from`. Ids are drawn in one order and committed in another, so a reader by id would
 * skip late commits; the sequencer assigns positions to committed events only, and never before an assigned one.
 */
export function eventsAfterSql(after: Cursor, limit: number): RawBuilder<unknown> {
  return sql`
    select event_position.position, ${eventColumns}
    from event_position join event on event.id = event_position.event_id
    where event_position.position > ${after.position}::bigint
    order by event_position.position
    limit ${limit}`
}

/**
 * Whether an event after this position matches; the condition may use `event`. Order and limits make the planner follow
 * the positions, which it would not for a value that it does not know.
 */
export function hasEventAfter(position: RawBuilder<unknown>, matches: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql`coalesce((
    select true from event_position cross join lateral (
      select from event where event.id = event_position.event_id and ${matches} limit 1
    ) matching
    where event_position.position > ${position} order by event_position.position limit 1), false)`
}

export async function readEventsAfter(db: Db, after: Cursor, limit = 100): Promise<Event[]> {
  const { rows } = await sql<Event>`
    select candidate.position, candidate.id, candidate.type, candidate."on", candidate.object, candidate.project_id,
      candidate.actor_id, candidate.payload
    from (${eventsAfterSql(after, limit)}) candidate
    order by candidate.position`.execute(db)
  return rows
}

/** The current bounds of the feed. */
export interface FeedState {
  readonly epoch: string
  /** The position before the first retained event. */
  readonly removed: Cursor
  /** The last position: no event will ever be added before it. */
  readonly horizon: Cursor
  /** Committed events have no position yet. */
  readonly is_behind: boolean
}

/** For statements that also read events, so that both are of one snapshot. */
export const feedState: RawBuilder<FeedState> = sql`
  select feed_epoch.epoch,
    jsonb_build_object('position', coalesce(
      (select event_position.position - 1 from event_position
        where exists (select from event where event.id = event_position.event_id offset 0)
        order by event_position.position limit 1),
      feed_sequence.position)) as removed,
    jsonb_build_object('position', feed_sequence.position) as horizon,
    ${hasUnsequencedEvents} as is_behind
  from feed_epoch cross join feed_sequence`

/** The bounds of the feed after all events that are committed now have a position. */
export async function readFeedEnd(db: Db): Promise<FeedState> {
  const state = await readFeedState(db)
  if (!state.is_behind) return state
  await sequenceEvents(db)
  return readFeedState(db)
}

export async function readFeedState(db: Db | Tx): Promise<FeedState> {
  const { rows } = await feedState.execute(db)
  const [state] = rows
  if (!state) throw new TypeError('The feed has no epoch.')
  return state
}

export function isCursorAfter(one: Cursor, other: Cursor): boolean {
  return one.position > other.position
}

const DELETE_BATCH_SIZE = 5000

/**
 * Removes events before a time, by position, in batches. Stops at the first event to keep, so that the rest has no gaps.
 * Events without a position are kept.
 */
export async function deleteEventsBefore(db: Db, before: Date): Promise<number> {
  for (let total = 0; ; ) {
    const { passed, removed } = await inTransaction(db, (tx) => deleteOldestBatch(tx, before))
    total += removed
    if (passed < DELETE_BATCH_SIZE) return total
  }
}

/** Servers of the previous version remove events without their positions, and compare old cursors with (xid, id). */
async function deleteOldestBatch(tx: Tx, before: Date): Promise<{ passed: number; removed: number }> {
  const { rows } = await sql<{ passed: number; removed: number }>`
    with oldest as materialized (
      select event_position.position, event_position.event_id, event."on"
      from event_position left join event on event.id = event_position.event_id
      order by event_position.position limit ${DELETE_BATCH_SIZE}
    ), passed as materialized (
      select oldest.position, oldest.event_id from oldest
      where oldest.position < coalesce((select min(kept.position) from oldest kept where kept."on" >= ${before}),
        oldest.position + 1)
    ), gone as (
      delete from event using passed where event.id = passed.event_id returning event.xid, event.id
    ), freed as (
      delete from event_position using passed where event_position.position = passed.position
    ), remembered as (
      update feed_epoch set removed_xid = last.xid, removed_id = last.id
      from (select gone.xid, gone.id from gone order by gone.xid desc, gone.id desc limit 1) last
      where (last.xid, last.id) > (feed_epoch.removed_xid, feed_epoch.removed_id)
    )
    select (select count(*) from passed) as passed, (select count(*) from gone) as removed`.execute(tx)
  return rows[0] ?? { passed: 0, removed: 0 }
}

/** The latest events of these types in a project, newest first; one index lookup per type. */
export async function findLatestEvents(
  db: Db,
  project_id: number,
  types: readonly string[],
  limit: number,
): Promise<EventContent[]> {
  const { rows } = await sql<EventContent>`
    select latest.* from unnest(${types}::text[]) as wanted (type) cross join lateral (
      select event.id, event.type, event."on", event.object, event.project_id, event.actor_id, event.payload
      from event where event.project_id = ${project_id} and event.type = wanted.type
      order by event.id desc limit ${limit}
    ) latest
    order by latest.id desc limit ${limit}`.execute(db)
  return rows
}

/** Events by id: for a reader that has read them before, or for the transaction that writes them (position 0). */
export function eventsByIdSql(ids: readonly number[]): RawBuilder<unknown> {
  return sql`
    select coalesce(event_position.position, 0) as position, ${eventColumns}
    from event left join event_position on event_position.event_id = event.id
    where event.id = any(${ids}::bigint[])`
}

/** Events of an object that this transaction has written; they have no position yet. */
export async function findEventsOfTransaction(tx: Db | Tx, object: string): Promise<Event[]> {
  const { rows } = await sql<Event>`
    select 0::bigint as position, event.id, event.type, event."on", event.object, event.project_id, event.actor_id,
      event.payload
    from event where event.tx = pg_current_xact_id() and event.object = ${object} order by event.id`.execute(tx)
  return rows
}
