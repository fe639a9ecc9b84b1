import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { Page } from '../../../platform/http/pages.ts'
import type { AccountId, Viewer } from '../../../platform/http/viewer.ts'
import type { SeenEvent } from '../../read-stretch.ts'
import { INBOX_DAYS } from '../clean-notifications.ts'
import { notifiedEvents } from '../mailing/find-mails.ts'
import { fromJson, isReadable, seenEvent, type SeenJson, sightOfTold } from '../seen-events.ts'
import type { Why } from '../why.ts'

const DAY = 86_400_000

/** An entry of the inbox whose object can still be read. */
export interface Entry {
  readonly id: number
  readonly why: Why
  readonly on: Date
  readonly is_read: boolean
  readonly epoch: string
  readonly seen: SeenEvent
}

type Owner = Viewer & { readonly account_id: AccountId }

/** One page of the inbox, the newest first, and how many entries there are, and are unread. */
export async function findEntries(
  db: Db | Tx,
  owner: Owner,
  { unreadOnly, page: { limit, offset, after }, now }: { unreadOnly: boolean; page: Page; now: Date },
): Promise<{ rows: Entry[]; size: number; unread: number }> {
  const wanted = unreadOnly ? sql`not shown.is_read` : sql`true`
  const place = after ? sql`shown.id < ${after[0]}` : sql`true`
  const { rows } = await sql<
    Omit<Entry, 'seen' | 'on'> & { on: Date; event: SeenJson; size: number; unread: number; id: number | null }
  >`
    with ${shownEntries(owner, now)}, counted as (
      select count(*) filter (where ${wanted}) as size, count(*) filter (where not shown.is_read) as unread from shown
    )
    select counted.size, counted.unread, page.* from counted left join (
      select shown.* from shown where ${wanted} and ${place}
      order by shown.id desc limit ${limit + 1} offset ${after ? 0 : offset}
    ) page on true order by page.id desc`.execute(db)
  const [first] = rows
  return {
    size: first?.size ?? 0,
    unread: first?.unread ?? 0,
    rows: rows.flatMap(({ id, why, on, is_read, epoch, event }) =>
      id === null ? [] : [{ id, why, on, is_read, epoch, seen: fromJson(event) }],
    ),
  }
}

/** The ids of those entries of the owner that he may see, as a part of a statement that changes them. */
export function shownEntries(owner: Owner, now: Date): RawBuilder<unknown> {
  const since = new Date(now.getTime() - INBOX_DAYS * DAY)
  return sql`mine as materialized (
      select notification.id, notification.event_id, notification.why, notification."on", notification.is_read
      from notification where notification.account_id = ${owner.account_id} and notification."on" > ${since}
    ), ${sightOfTold(owner, notifiedEvents(sql`select mine.event_id from mine`))}, shown as materialized (
      select mine.id, mine.why, mine."on", mine.is_read, notified_event.epoch, ${seenEvent} as event
      from mine join notified_event on notified_event.id = mine.event_id
        join told on told.id = mine.event_id join seen on seen.id = told.id
      where ${isReadable}
    )`
}
