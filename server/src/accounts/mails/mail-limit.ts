import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { RatePolicy } from '../../platform/http/rate-limit.ts'
import type { AccountId } from '../../platform/http/viewer.ts'

interface MailLimit extends RatePolicy {
  readonly kind: 'password_reset' | 'email_verification' | 'invitation'
}

const HOUR = 3600
export const PASSWORD_RESETS = mailLimit('password_reset', 3, HOUR)
export const EMAIL_VERIFICATIONS = mailLimit('email_verification', 3, HOUR)
export const INVITATIONS = mailLimit('invitation', 200, 24 * HOUR)

function mailLimit(kind: MailLimit['kind'], quota: number, windowSeconds: number): MailLimit {
  return { kind, name: `${kind.replace('_', '-')}-mails`, quota, windowSeconds }
}

/**
 * Counts mails requested by an account. Returns undefined if allowed, else the seconds to wait. Locks the account row,
 * so that concurrent requests cannot exceed the limit.
 */
export async function countMails(
  tx: Tx,
  account: AccountId,
  { kind, quota, windowSeconds }: MailLimit,
  now: Date,
  { count = 1, job_id = null }: { count?: number; job_id?: number | null } = {},
): Promise<number | undefined> {
  const within = windowSeconds * 1000
  await sql`select from account where account.id = ${account} for no key update`.execute(tx)
  const { rows } = await sql<{ counted: number; oldest: Date | null; is_repetition: boolean }>`
    select coalesce(sum(mail_request.count), 0)::int as counted, min(mail_request."on") as oldest,
      coalesce(bool_or(mail_request.job_id = ${job_id}), false) as is_repetition
    from mail_request
    where mail_request.account_id = ${account} and mail_request.kind = ${kind}
      and mail_request."on" > ${new Date(now.getTime() - within)}`.execute(tx)
  const [{ counted, oldest, is_repetition } = { counted: 0, oldest: null, is_repetition: false }] = rows
  if (is_repetition) return undefined
  if (counted + count > quota)
    return Math.max(1, Math.ceil(((oldest ?? now).getTime() + within - now.getTime()) / 1000))
  await tx.insertInto('mail_request').values({ account_id: account, kind, count, job_id, on: now }).execute()
  return undefined
}
