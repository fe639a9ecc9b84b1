import { sql } from 'kysely'
import type { Cleaner } from '../../platform/jobs/clean-up.ts'

const DAY = 86_400_000
/** How long an entry stays in the inbox. */
export const INBOX_DAYS = 90
/** How long it is known who was sent a mail, and when. */
const MAIL_DAYS = 30

export const cleanNotifications: Cleaner = async (tx, _context, now) => {
  const before = (days: number) => new Date(now.getTime() - days * DAY)
  await sql`delete from notification where "on" <= ${before(INBOX_DAYS)}`.execute(tx)
  await sql`delete from notice_mail where planned_on <= ${before(MAIL_DAYS)}`.execute(tx)
  await sql`delete from notified_event
    where not exists (select from notification where notification.event_id = notified_event.id)
      and not exists (select from notice_mail where notice_mail.event_id = notified_event.id)`.execute(tx)
}
