import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../../platform/http/viewer.ts'
import {
  parseVisibleEvent,
  isEventObjectReadable,
  visibleEventJson,
  type VisibleEventJson,
  visibleEventsCte,
} from '../visible-events.ts'
import type { VisibleEvent } from '../../scan-events.ts'
import type { NotificationReason } from '../notification-reasons.ts'

/** An unsent mail about an event that its recipient may read now. */
export interface PendingMail {
  readonly id: number
  readonly why: NotificationReason
  readonly epoch: string
  readonly seen: VisibleEvent
}

/** The selected unsent mails of this person, oldest first. */
export async function findPendingMails(
  db: Db | Tx,
  viewer: Viewer & { readonly account_id: AccountId },
  isMeant: RawBuilder<boolean>,
): Promise<PendingMail[]> {
  const waiting = sql`select notice_mail.event_id from notice_mail
    where notice_mail.account_id = ${viewer.account_id} and notice_mail.handed_over_on is null and ${isMeant}`
  const { rows } = await sql<Omit<PendingMail, 'seen'> & { event: VisibleEventJson }>`
    with ${visibleEventsCte(viewer, notifiedEvents(waiting))}
    select notice_mail.id, notice_mail.why, candidate.epoch, ${visibleEventJson()} as event
    from seen join notice_mail on notice_mail.event_id = seen.id and notice_mail.account_id = ${viewer.account_id}
      join notified_event candidate on candidate.id = seen.id
    where ${isEventObjectReadable} order by candidate.position nulls first, candidate.id`.execute(db)
  return rows.map(({ event, ...mail }) => ({ ...mail, seen: parseVisibleEvent(event) }))
}

/** All mails due for a digest, including those that the recipient may no longer read. */
export async function findDueMails(db: Db | Tx, account: AccountId, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from notice_mail
    where account_id = ${account} and digest_on <= ${now} and handed_over_on is null`.execute(db)
  return rows.map(({ id }) => id)
}

/** Events with these ids, as stored when they were notified. */
export function notifiedEvents(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select notified_event.position, notified_event.id, notified_event.type, notified_event."on",
      notified_event.object, notified_event.project_id, notified_event.actor_id, notified_event.request_id,
      notified_event.client_uuid, notified_event.payload
    from notified_event where notified_event.id in (${ids})`
}

/**
 * Compare-and-swap: returns those of these mails that no other worker has handed over. They count as sent from now on.
 */
export async function markHandedOver(
  tx: Tx,
  ids: readonly number[],
  job: number,
  now: Date,
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    update notice_mail set handed_over_on = ${now}, job_id = ${job}
    where id = any(${ids}::bigint[]) and handed_over_on is null returning id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** The mail server did not accept the mails of this job. */
export async function revertHandOver(tx: Tx, job: number): Promise<void> {
  await sql`update notice_mail set handed_over_on = null, job_id = null where job_id = ${job}`.execute(tx)
}
