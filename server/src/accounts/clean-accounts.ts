import { sql } from 'kysely'
import type { Cleaner } from '../platform/jobs/clean-up.ts'
import { removeOldExports } from './exports/export-file.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const FAILURES_COUNT = 15 * MINUTE
const TOKENS_LIVE = DAY
const MAIL_LIMITS_LOOK_BACK = DAY

/** Everything here is refused already when it is over: removing it only makes room, and forgets what need not be known. */
export const cleanAccounts: Cleaner = async (tx, { settings }, now) => {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const { session_idle_minutes, session_max_days } = settings.current
  await sql`delete from session where last_used_on < ${before(session_idle_minutes * MINUTE)}
    or created_on < ${before(session_max_days * DAY)}`.execute(tx)
  await sql`delete from access_key where is_over or expires_on <= ${now}`.execute(tx)
  await sql`delete from token where is_over or created_on < ${before(TOKENS_LIVE)}`.execute(tx)
  await sql`delete from mailed_link where expires_on <= ${now}`.execute(tx)
  await sql`delete from sign_in_failure where "on" <= ${before(FAILURES_COUNT)}`.execute(tx)
  await removeOldExports(tx, now)
  await sql`delete from mail_request where "on" <= ${before(MAIL_LIMITS_LOOK_BACK)}`.execute(tx)
}
