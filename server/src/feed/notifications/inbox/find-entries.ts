import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { Pagination } from '../../../platform/http/pages.ts'
import type { AccountId, Viewer } from '../../../platform/http/viewer.ts'
import type { VisibleEvent } from '../../scan-events.ts'
import { INBOX_RETENTION_DAYS } from '../clean-notifications.ts'
import { notifiedEvents } from '../mailing/find-mails.ts'
import {
  parseVisibleEvent,
  isEventObjectReadable,
  visibleEventJson,
  type VisibleEventJson,
  visibleEventsCte,
} from '../visible-events.ts'
import type { NotificationReason } from '../notification-reasons.ts'

const DAY_MS = 86_400_000

/** An inbox entry whose object the owner may still read. */
export interface InboxEntry {
  readonly id: number
  readonly why: NotificationReason
  readonly on: Date
  readonly is_read: boolean
  /** Hidden until then; null: shown. */
  readonly snoozed_until: Date | null
  readonly epoch: string
  readonly seen: VisibleEvent
}

export type InboxOwner = Viewer & { readonly account_id: AccountId }

/** One page of the inbox, newest first, with the total and unread counts. */
export async function findInboxEntries(
  db: Db | Tx,
  owner: InboxOwner,
  { unreadOnly, page: { limit, offset, after }, now }: { unreadOnly: boolean; page: Pagination; now: Date },
): Promise<{ rows: InboxEntry[]; size: number; unread: number }> {
  const isUnread = sql`(not shown.is_read and shown.snoozed_until is null)`
  const wanted = unreadOnly ? isUnread : sql`true`
  const place = after ? sql`shown.id < ${after[0]}` : sql`true`
  const { rows } = await sql<
    Omit<InboxEntry, 'seen' | 'on'> & {
      on: Date
      event: VisibleEventJson
      size: number
      unread: number
      id: number | null
    }
  >`
    with ${visibleEntriesCte(owner, now)}, counted as (
      select count(*) filter (where ${wanted}) as size, count(*) filter (where ${isUnread}) as unread from shown
    ), page as (
      select shown.* from shown where ${wanted} and ${place}
      order by shown.id desc limit ${limit + 1} offset ${after ? 0 : offset}
    )
    select counted.size, counted.unread, page.id, page.why, page."on", page.is_read, page.snoozed_until, candidate.epoch,
      ${visibleEventJson(sql`page`)} as event
    from counted left join (page join notified_event candidate on candidate.id = page.event_id) on true
    order by page.id desc`.execute(db)
  const [first] = rows
  return {
    size: first?.size ?? 0,
    unread: first?.unread ?? 0,
    rows: rows.flatMap(({ id, why, on, is_read, snoozed_until, epoch, event }) =>
      id === null ? [] : [{ id, why, on, is_read, snoozed_until, epoch, seen: parseVisibleEvent(event) }],
    ),
  }
}

/**
 * CTE `shown`: the selected entries that their owner may see. Visible rows are joined by key, because inboxes are long
 * and the selectivity is unknown.
 */
export function visibleEntriesCte(
  owner: InboxOwner,
  now: Date,
  isMeant: RawBuilder<boolean> = sql`true`,
): RawBuilder<unknown> {
  const since = new Date(now.getTime() - INBOX_RETENTION_DAYS * DAY_MS)
  const mine = sql`select notification.event_id from notification
    where notification.account_id = ${owner.account_id}
      and (notification."on" > ${since} or notification.snoozed_until > ${since}) and ${isMeant}`
  return sql`${visibleEventsCte(owner, notifiedEvents(mine))}, shown as materialized (
      select notification.id, notification.why, notification."on", notification.is_read, seen.id as event_id,
        case when notification.snoozed_until > ${now} then notification.snoozed_until end as snoozed_until,
        case when notification.snoozed_until <= ${now} then notification.snoozed_until end as returned_on,
        seen.project_id, seen.tracker_id, seen.stamp
      from seen join notification on notification.event_id = seen.id and notification.account_id = ${owner.account_id}
        join notified_event candidate on candidate.id = seen.id
      where ${isEventObjectReadable}
    )`
}
