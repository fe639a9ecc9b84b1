import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { Pagination } from '../../../platform/http/pages.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { NotificationReason } from '../notification-reasons.ts'
import { parseVisibleEvent, visibleEventJson, type VisibleEventJson } from '../visible-events.ts'
import { type InboxEntry, type InboxOwner, visibleEntriesCte } from './find-entries.ts'

/** Changes of at least so many objects by one request are one thread. */
const MIN_OBJECTS_OF_BULK = 5
/** Older entries of a thread are ignored. */
export const MAX_THREAD_ENTRIES = 1000
/** Addresses of objects of one thread. */
const MAX_THREAD_OBJECTS = 100

/** The entries about one object, or those of one bulk write. */
export interface InboxThread {
  readonly latest: InboxEntry
  /** Its place in the list: when it changed or came back last, in microseconds. */
  readonly at: number
  readonly is_read: boolean
  /** Newest first. */
  readonly entries: readonly number[]
  /** Those of the unread entries; of all entries if all are read. */
  readonly reasons: readonly NotificationReason[]
  readonly objects: readonly string[]
  readonly object_count: number
  /** Newest first, with repetitions; null: by the server. */
  readonly actors: readonly (AccountId | null)[]
}

interface ThreadFilter {
  readonly unreadOnly: boolean
  readonly why: NotificationReason | undefined
  readonly project: number | undefined
  /** Only those that are hidden now, instead of the others. */
  readonly snoozedOnly: boolean
  readonly page: Pagination
  readonly now: Date
}

type ThreadRow = Omit<InboxThread, 'latest'> &
  Omit<InboxEntry, 'seen' | 'id' | 'is_read'> & {
    readonly id: number | null
    readonly is_latest_read: boolean
    readonly event: VisibleEventJson
    readonly size: number
    readonly unread: number
  }

/** One page of threads, newest first, with the total and unread counts. */
export async function findInboxThreads(
  db: Db | Tx,
  owner: InboxOwner,
  { unreadOnly, why, project, snoozedOnly, page: { limit, offset, after }, now }: ThreadFilter,
): Promise<{ rows: InboxThread[]; size: number; unread: number }> {
  const wanted = sql`${snoozedOnly ? sql`thread.is_snoozed` : sql`not thread.is_snoozed`}
    and ${unreadOnly ? sql`not thread.is_read` : sql`true`}
    and ${why ? sql`${why} = any(thread.all_reasons)` : sql`true`}
    and ${project === undefined ? sql`true` : sql`${project} = any(thread.projects)`}`
  const isAfter = after ? sql`(thread.at, thread.id) < (${after[0]}::bigint, ${after[1]}::bigint)` : sql`true`
  const { rows } = await sql<ThreadRow>`
    with ${visibleEntriesCte(owner, now)}, entry as materialized (
      select shown.*, told.object, told.request_id, told.actor_id
      from shown join notified_event told on told.id = shown.event_id
    ), bulk as (
      select entry.request_id, entry.actor_id from entry where entry.request_id is not null
      group by entry.request_id, entry.actor_id having count(distinct entry.object) >= ${MIN_OBJECTS_OF_BULK}
    ), keyed as (
      select entry.*, case when bulk.request_id is not null then 'bulk ' || bulk.request_id
        else coalesce(entry.object, 'event ' || entry.event_id) end as key
      from entry left join bulk on bulk.request_id = entry.request_id and bulk.actor_id is not distinct from entry.actor_id
    ), placed as (
      select keyed.*, row_number() over (partition by keyed.key order by keyed.id desc) as place from keyed
    ), thread as materialized (
      select max(placed.id) as id, bool_and(placed.is_read) as is_read,
        array_agg(placed.id order by placed.id desc) as entries, array_agg(distinct placed.why) as all_reasons,
        coalesce(array_agg(distinct placed.why) filter (where not placed.is_read), array_agg(distinct placed.why)) as reasons,
        count(distinct placed.object) as object_count,
        (array_agg(distinct placed.object) filter (where placed.object is not null))[:${MAX_THREAD_OBJECTS}] as objects,
        array_agg(distinct placed.project_id) as projects,
        -- A new entry brings a snoozed thread back.
        bool_or(placed.place = 1 and placed.snoozed_until is not null) as is_snoozed,
        (extract(epoch from greatest(max(placed."on"), max(placed.returned_on))) * 1000000)::bigint as at,
        array_agg(placed.actor_id order by placed.id desc) as actors
      from placed where placed.place <= ${MAX_THREAD_ENTRIES} group by placed.key
    ), counted as (
      select count(*) filter (where ${wanted}) as size, count(*) filter (where not thread.is_read and not thread.is_snoozed) as unread from thread
    ), page as (
      select thread.* from thread where ${wanted} and ${isAfter}
      order by thread.at desc, thread.id desc limit ${limit + 1} offset ${after ? 0 : offset}
    )
    select counted.size, counted.unread, page.id, page.at, page.is_read, page.entries, page.reasons, page.object_count,
      coalesce(page.objects, '{}') as objects, page.actors, entry.why, entry."on", entry.is_read as is_latest_read,
      entry.snoozed_until,
      candidate.epoch, ${visibleEventJson(sql`entry`)} as event
    from counted left join (page join entry on entry.id = page.id
      join notified_event candidate on candidate.id = entry.event_id) on true
    order by page.at desc, page.id desc`.execute(db)
  const [first] = rows
  return { size: first?.size ?? 0, unread: first?.unread ?? 0, rows: rows.flatMap(toThread) }
}

function toThread(row: ThreadRow): InboxThread[] {
  const { id, why, on, is_latest_read, snoozed_until, epoch, event } = row
  if (id === null) return []
  const { at, is_read, entries, reasons, objects, object_count, actors } = row
  const latest = { id, why, on, is_read: is_latest_read, snoozed_until, epoch, seen: parseVisibleEvent(event) }
  return [{ latest, at, is_read, entries, reasons, objects, object_count, actors }]
}
