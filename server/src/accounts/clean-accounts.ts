import { sql } from 'kysely'
import type { Cleaner } from '../platform/jobs/clean-up.ts'
import { removeOldExports } from './exports/export-file.ts'
import { removeOldOrigins } from './sign-in/known-origins.ts'
import { FAILURE_WINDOW_MS } from './sign-in/throttle.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const TOKEN_RETENTION_MS = DAY_MS
/** Longer than a code and its token live. */
const ENDED_SESSION_RETENTION_MS = HOUR_MS
const MAIL_LIMIT_WINDOW_MS = DAY_MS

/** Deletes expired rows. They are refused already; this only frees space and removes personal data. */
export const cleanAccounts: Cleaner = async (tx, { settings }, now) => {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const { session_idle_minutes, session_max_days } = settings.current
  await sql`delete from session where last_used_on < ${before(session_idle_minutes * MINUTE_MS)}
    or created_on < ${before(session_max_days * DAY_MS)}`.execute(tx)
  await sql`delete from access_key where is_over or expires_on <= ${now}`.execute(tx)
  await sql`delete from token where is_over or created_on < ${before(TOKEN_RETENTION_MS)}`.execute(tx)
  await sql`delete from mailed_link where expires_on <= ${now}`.execute(tx)
  await sql`delete from sign_in_failure where "on" <= ${before(FAILURE_WINDOW_MS)}`.execute(tx)
  // A server of a version without pictures may have erased the account.
  await sql`delete from avatar using account where account.id = avatar.account_id and account.erased_on is not null`.execute(
    tx,
  )
  await removeOldOrigins(tx, now)
  await sql`delete from used_identity_token where expires_on <= ${now}`.execute(tx)
  await sql`delete from ended_identity_session where ended_on <= ${before(ENDED_SESSION_RETENTION_MS)}`.execute(tx)
  await removeOldExports(tx, now)
  await sql`delete from address_mail where "on" <= ${before(MAIL_LIMIT_WINDOW_MS)}`.execute(tx)
  await sql`delete from mail_request where "on" <= ${before(MAIL_LIMIT_WINDOW_MS)}`.execute(tx)
}
