import { sql } from 'kysely'
import { recordAudit } from '../../platform/database/audit.ts'
import type { Context } from '../../platform/operation/context.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { ANONYMOUS } from '../../platform/http/exchange.ts'
import { fold } from '../login.ts'

const WINDOW = 15 * 60_000
const MOST = { login: 10, address: 100 }

export interface Attempt {
  login: string
  address: string
  request_id: string | null
}

/** An attempt that is counted, and whose password nobody has looked at yet. */
interface CountedAttempt {
  /** Runs what looks at it. If it is right, it never counted. */
  judge(isRight: () => Promise<boolean>): Promise<boolean>
}

/** What this process looks at just now: each may turn out not to count. */
const judged = new Set<{ readonly login: string; readonly address: string; readonly ended: Promise<void> }>()

/**
 * Counts the attempt as a failure before the password is looked at, so that many at once cannot outrun the count. Who
 * finds too many waits for those that are being looked at: many right ones at once are no failures. The answer is the
 * same whether or not the login exists.
 */
export async function countAttempt(context: Context, attempt: Attempt): Promise<CountedAttempt> {
  const login = context.secrets.pepper('login', fold(attempt.login))
  const names = { login: login.toString('hex'), address: attempt.address }
  for (;;) {
    const counted = await tryToCount(context, login, attempt.address)
    if ('id' in counted) return toBeJudged(context, { id: counted.id, ...names })
    const { tooMany, seconds } = counted
    const others = [...judged].filter((each) => each[tooMany] === names[tooMany])
    if (others.length === 0) {
      await auditSignIn(context, attempt, 'rate_limited')
      const details = { allowed: { maximum: MOST[tooMany] } }
      throw new ApiError('rate_limited', details).with({ 'retry-after': String(seconds) })
    }
    await Promise.race(others.map(({ ended }) => ended))
  }
}

function toBeJudged({ db }: Context, { id, login, address }: { id: number; login: string; address: string }) {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const one = { login, address, ended }
  judged.add(one)
  return {
    async judge(isRight: () => Promise<boolean>) {
      try {
        const right = await isRight()
        if (right) await sql`delete from sign_in_failure where id = ${id}`.execute(db)
        return right
      } finally {
        judged.delete(one)
        end()
      }
    },
  }
}

/** The number of the failure, or when there may be the next one. */
async function tryToCount({ db, clock }: Context, login: Buffer, address: string) {
  const now = clock.now()
  const since = new Date(now.getTime() - WINDOW)
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${login.toString('hex')}, 1))`.execute(tx)
    const { rows } = await sql<{ of_login: number; of_address: number; oldest: Date | null }>`
      select (select count(*) from sign_in_failure where login = ${login} and "on" > ${since}) as of_login,
             (select count(*) from sign_in_failure where address = ${address} and "on" > ${since}) as of_address,
             (select min("on") from sign_in_failure where "on" > ${since}
               and (login = ${login} or address = ${address})) as oldest`.execute(tx)
    const [{ of_login, of_address, oldest } = { of_login: 0, of_address: 0, oldest: null }] = rows
    const isLogin = of_login >= MOST.login
    if (isLogin || of_address >= MOST.address) {
      const seconds = Math.ceil(((oldest ?? now).getTime() + WINDOW - now.getTime()) / 1000)
      return { tooMany: isLogin ? ('login' as const) : ('address' as const), seconds: Math.max(1, seconds) }
    }
    const { id } = await tx
      .insertInto('sign_in_failure')
      .values({ login, address, on: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id }
  })
}

export async function auditSignIn(context: Context, attempt: Attempt, reason: string): Promise<void> {
  const origin = { viewer: ANONYMOUS, request_id: attempt.request_id, address: attempt.address }
  await recordAudit(context.db, origin, { action: 'sign_in', outcome: 'refused', reason })
}
