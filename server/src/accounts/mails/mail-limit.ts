import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'

interface MailLimit {
  kind: 'password_reset' | 'email_verification' | 'invitation'
  most: number
  /** In milliseconds. */
  within: number
}

const HOUR = 3_600_000
export const PASSWORD_RESETS: MailLimit = { kind: 'password_reset', most: 3, within: HOUR }
export const EMAIL_VERIFICATIONS: MailLimit = { kind: 'email_verification', most: 3, within: HOUR }
export const INVITATIONS: MailLimit = { kind: 'invitation', most: 200, within: 24 * HOUR }

/**
 * Counts mails that an account asks for. Undefined: they may be sent; else the seconds to wait. Holds the account's row,
 * so that many requests at once do not pass the limit together.
 */
export async function countMails(
  tx: Tx,
  account: AccountId,
  { kind, most, within }: MailLimit,
  now: Date,
  { count = 1, job_id = null }: { count?: number; job_id?: number | null } = {},
): Promise<number | undefined> {
  await sql`select from account where account.id = ${account} for no key update`.execute(tx)
  const { rows } = await sql<{ counted: number; oldest: Date | null; is_repetition: boolean }>`
    select coalesce(sum(mail_request.count), 0)::int as counted, min(mail_request."on") as oldest,
      coalesce(bool_or(mail_request.job_id = ${job_id}), false) as is_repetition
    from mail_request
    where mail_request.account_id = ${account} and mail_request.kind = ${kind}
      and mail_request."on" > ${new Date(now.getTime() - within)}`.execute(tx)
  const [{ counted, oldest, is_repetition } = { counted: 0, oldest: null, is_repetition: false }] = rows
  if (is_repetition) return undefined
  if (counted + count > most) return Math.max(1, Math.ceil(((oldest ?? now).getTime() + within - now.getTime()) / 1000))
  await tx.insertInto('mail_request').values({ account_id: account, kind, count, job_id, on: now }).execute()
  return undefined
}
