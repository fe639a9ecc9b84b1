import { sql } from 'kysely'
import { recordAudit } from '../../platform/database/audit.ts'
import type { Context } from '../../platform/operation/context.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { ANONYMOUS } from '../../platform/http/exchange.ts'
import { fold } from '../login.ts'

const WINDOW = 15 * 60_000
const PER_LOGIN = 10
const PER_ADDRESS = 100

export interface Attempt {
  login: string
  address: string
  request_id: string | null
}

/**
 * Counts the attempt as a failure before the password is looked at, so that many at once cannot outrun the count;
 * `succeeded` takes it back. The answer is the same whether or not the login exists.
 */
export async function countAttempt(context: Context, attempt: Attempt): Promise<{ succeeded(): Promise<void> }> {
  const { db, clock, secrets } = context
  const now = clock.now()
  const login = secrets.pepper('login', fold(attempt.login))
  const since = new Date(now.getTime() - WINDOW)
  const counted = await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${login.toString('hex')}, 1))`.execute(tx)
    const { rows } = await sql<{ of_login: number; of_address: number; oldest: Date | null }>`
      select (select count(*) from sign_in_failure where login = ${login} and "on" > ${since}) as of_login,
             (select count(*) from sign_in_failure where address = ${attempt.address} and "on" > ${since}) as of_address,
             (select min("on") from sign_in_failure where "on" > ${since}
               and (login = ${login} or address = ${attempt.address})) as oldest`.execute(tx)
    const [{ of_login, of_address, oldest } = { of_login: 0, of_address: 0, oldest: null }] = rows
    if (of_login >= PER_LOGIN || of_address >= PER_ADDRESS) return { oldest }
    const made = await sql<{ id: number }>`
      insert into sign_in_failure (login, address, "on") values (${login}, ${attempt.address}, ${now}) returning id`.execute(
      tx,
    )
    return { id: made.rows[0]?.id }
  })
  if ('oldest' in counted) {
    const seconds = Math.ceil(((counted.oldest ?? now).getTime() + WINDOW - now.getTime()) / 1000)
    await auditSignIn(context, attempt, 'rate_limited')
    throw new ApiError('rate_limited').with({ 'retry-after': String(Math.max(1, seconds)) })
  }
  return {
    async succeeded() {
      await sql`delete from sign_in_failure where id = ${counted.id}`.execute(db)
    },
  }
}

export async function auditSignIn(context: Context, attempt: Attempt, reason: string): Promise<void> {
  const origin = { viewer: ANONYMOUS, request_id: attempt.request_id, address: attempt.address }
  await recordAudit(context.db, origin, { action: 'sign_in', outcome: 'refused', reason })
}
