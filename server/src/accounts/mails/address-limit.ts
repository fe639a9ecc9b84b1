import { sql } from 'kysely'
import type { MailContext } from '../../platform/jobs/mail-template.ts'
import { fold } from '../login.ts'

/** The clean-up keeps the rows for a day, so the window must not be longer. */
const ADDRESS_MAILS = { quota: 10, windowMs: 24 * 3_600_000 }

/**
 * Counts a mail to an unconfirmed address. False: the daily limit is reached and the mail is dropped. The causing
 * request was answered before, so the response reveals nothing about the address.
 */
export async function countAddressMail({ context, tx, run }: MailContext, email: string): Promise<boolean> {
  const { clock, secrets } = context
  const digest = secrets.keyedHash('mail address', fold(email))
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mails to ${digest.toString('hex')}`}, 0))`.execute(tx)
  const since = new Date(clock.now().getTime() - ADDRESS_MAILS.windowMs)
  const { rows } = await sql<{ counted: number; is_retry: boolean }>`
    select count(*)::int as counted, coalesce(bool_or(address_mail.job_id = ${run.id}), false) as is_retry
    from address_mail where address_mail.digest = ${digest} and address_mail."on" > ${since}`.execute(tx)
  const [{ counted, is_retry } = { counted: 0, is_retry: false }] = rows
  if (is_retry) return true
  if (counted >= ADDRESS_MAILS.quota) return false
  await tx
    .insertInto('address_mail')
    .values({ digest, job_id: run.id, on: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}
