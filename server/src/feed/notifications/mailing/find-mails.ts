import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../../platform/http/viewer.ts'
import { fromJson, isReadable, seenEvent, type SeenJson, sightOfTold } from '../seen-events.ts'
import type { SeenEvent } from '../../read-stretch.ts'
import type { Why } from '../why.ts'

/** A mail that nobody has sent yet, of an event that its reader may know of now. */
export interface WaitingMail {
  readonly id: number
  readonly why: Why
  readonly epoch: string
  readonly seen: SeenEvent
}

/** The mails that wait for this person, and are one of those meant; the oldest first. */
export async function findWaiting(
  db: Db | Tx,
  viewer: Viewer & { readonly account_id: AccountId },
  isMeant: RawBuilder<boolean>,
): Promise<WaitingMail[]> {
  const waiting = sql`select notice_mail.event_id from notice_mail
    where notice_mail.account_id = ${viewer.account_id} and notice_mail.handed_over_on is null and ${isMeant}`
  const { rows } = await sql<Omit<WaitingMail, 'seen'> & { event: SeenJson }>`
    with ${sightOfTold(viewer, notifiedEvents(waiting))}
    select notice_mail.id, notice_mail.why, told.epoch, ${seenEvent()} as event
    from seen join notice_mail on notice_mail.event_id = seen.id and notice_mail.account_id = ${viewer.account_id}
      join notified_event told on told.id = seen.id
    where ${isReadable} order by told.xid, told.id`.execute(db)
  return rows.map(({ event, ...mail }) => ({ ...mail, seen: fromJson(event) }))
}

/** Whatever is to go out with a digest by now, whether its reader may still know of it or not. */
export async function findDue(db: Db | Tx, account: AccountId, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from notice_mail
    where account_id = ${account} and digest_on <= ${now} and handed_over_on is null`.execute(db)
  return rows.map(({ id }) => id)
}

/** Events of these ids, as the feed had them. */
export function notifiedEvents(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select notified_event.xid, notified_event.id, notified_event.type, notified_event."on",
      notified_event.object, notified_event.project_id, notified_event.actor_id, notified_event.request_id,
      notified_event.client_uuid, notified_event.payload
    from notified_event where notified_event.id in (${ids})`
}

/** Of these mails, those that nobody else has handed over meanwhile. From now on they count as sent. */
export async function handOver(tx: Tx, ids: readonly number[], job: number, now: Date): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    update notice_mail set handed_over_on = ${now}, job_id = ${job}
    where id = any(${ids}::bigint[]) and handed_over_on is null returning id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** What this job has handed over was not taken. */
export async function takeBack(tx: Tx, job: number): Promise<void> {
  await sql`update notice_mail set handed_over_on = null, job_id = null where job_id = ${job}`.execute(tx)
}
