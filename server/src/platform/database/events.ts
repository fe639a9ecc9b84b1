import { type Generated, type GeneratedAlways, type RawBuilder, sql } from 'kysely'
import type { Origin } from './audit.ts'
import type { Db, Tx } from './db.ts'

declare module './db.ts' {
  interface Tables {
    event: EventRow
    feed_epoch: { epoch: string }
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
 * This one stops before the oldest transaction still running: what it passes by can no longer gain events.
 */
export async function readEvents(db: Db, after: Cursor, limit = 100): Promise<Event[]> {
  const { rows } = await sql<Event>`
    select event.xid::text, event.id, event.type, event."on", event.object, event.project_id, event.actor_id, event.payload
    from event
    where (event.xid, event.id) > (${after.xid}::xid8, ${after.id})
      and event.xid < pg_snapshot_xmin(pg_current_snapshot())
    order by event.xid, event.id -- qualified: a bare xid would be the text above, and '10' sorts before '9'
    limit ${limit}`.execute(db)
  return rows
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
