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
    ), page as (
      select shown.* from shown where ${wanted} and ${place}
      order by shown.id desc limit ${limit + 1} offset ${after ? 0 : offset}
    )
    select counted.size, counted.unread, page.id, page.why, page."on", page.is_read, told.epoch,
      ${seenEvent(sql`page`)} as event
    from counted left join (page join notified_event told on told.id = page.event_id) on true
    order by page.id desc`.execute(db)
  const [first] = rows
  return {
    size: first?.size ?? 0,
    unread: first?.unread ?? 0,
    rows: rows.flatMap(({ id, why, on, is_read, epoch, event }) =>
      id === null ? [] : [{ id, why, on, is_read, epoch, seen: fromJson(event) }],
    ),
  }
}

/**
 * As a part of a statement: those of the entries meant that their owner may see, as `shown`. What is seen is joined to the
 * tables by their keys, for nobody knows beforehand how much it is, and inboxes are long.
 */
export function shownEntries(owner: Owner, now: Date, isMeant: RawBuilder<boolean> = sql`true`): RawBuilder<unknown> {
  const since = new Date(now.getTime() - INBOX_DAYS * DAY)
  const mine = sql`select notification.event_id from notification
    where notification.account_id = ${owner.account_id} and notification."on" > ${since} and ${isMeant}`
  return sql`${sightOfTold(owner, notifiedEvents(mine))}, shown as materialized (
      select notification.id, notification.why, notification."on", notification.is_read, seen.id as event_id,
        seen.project_id, seen.tracker_id, seen.stamp
      from seen join notification on notification.event_id = seen.id and notification.account_id = ${owner.account_id}
        join notified_event told on told.id = seen.id
      where ${isReadable}
    )`
}
