import { sql } from 'kysely'
import type { Cleaner } from '../../platform/jobs/clean-up.ts'

const DAY_MS = 86_400_000
export const INBOX_RETENTION_DAYS = 90
/** How long sent mails are recorded: recipient and time. */
const MAIL_RETENTION_DAYS = 30

export const cleanNotifications: Cleaner = async (tx, _context, now) => {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const inboxEnd = before(INBOX_RETENTION_DAYS)
  await sql`delete from notification where "on" <= ${inboxEnd} and coalesce(snoozed_until, "on") <= ${inboxEnd}`.execute(
    tx,
  )
  await sql`delete from notice_mail where planned_on <= ${before(MAIL_RETENTION_DAYS)}`.execute(tx)
  await sql`delete from notified_event
    where not exists (select from notification where notification.event_id = notified_event.id)
      and not exists (select from notice_mail where notice_mail.event_id = notified_event.id)`.execute(tx)
}
