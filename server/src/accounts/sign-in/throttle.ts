import { sql } from 'kysely'
import { inTransaction } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { clientNetwork } from '../../platform/operation/networks.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { fold } from '../login.ts'
import { auditSignIn, type SignInAttempt } from './audit-sign-in.ts'
import { deviceDigest, isKnownDevice, knownNetworkSince, networkDigest, rememberNetwork } from './known-origins.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly pendingAttempts: PendingAttempts
  }
}

/** Per account and origin; afterwards each failure doubles the wait. */
const FREE_FAILURES = 10
const FIRST_DELAY_MS = 5_000
const MAX_DELAY_MS = 15 * 60_000
/** Older failures are not counted. */
export const FAILURE_WINDOW_MS = 60 * 60_000

/** Across all accounts, against password spraying. */
const CEILING_WINDOW_MS = 15 * 60_000
const MAX_FAILURES_PER_NETWORK = 100
const MAX_FAILURES_OF_SITE = 5_000
const SITE_RETRY_SECONDS = 60

/** An attempt that counts as a failure until its password is verified. */
interface CountedAttempt {
  /** Returns what the check returns; undefined: the password is wrong. */
  judge<T>(check: () => Promise<T | undefined>): Promise<T | undefined>
}

type Limit = 'pair' | 'network' | 'site'

/** The counters of an attempt. */
interface Counters {
  readonly pair: string
  readonly network: string
  readonly site: ''
}

/** Attempts of this server in verification; each may turn out not to count. */
type PendingAttempts = Set<Counters & { readonly ended: Promise<void> }>

export function createPendingAttempts(): PendingAttempts {
  return new Set()
}

/**
 * Counts the attempt before the password is verified, so that parallel attempts cannot outrun the count. Failures are
 * counted per account and origin (the network, or a known device, which strangers cannot slow down). At a limit it
 * waits for attempts in verification, because correct ones do not count. The result is the same whether or not the
 * login exists.
 */
export async function countAttempt(
  context: Context,
  attempt: SignInAttempt,
  account?: AccountId,
): Promise<CountedAttempt> {
  const login = context.secrets.keyedHash('login', fold(attempt.login))
  const { device } = attempt
  const isKnown = account !== undefined && device !== undefined && (await isKnownDevice(context.db, account, device))
  const origin = isKnown
    ? `device:${deviceDigest(device).toString('hex').slice(0, 32)}`
    : clientNetwork(attempt.address)
  const counters: Counters = { pair: `${login.toString('hex')} ${origin}`, network: origin, site: '' }
  const network = networkDigest(context, attempt.address)
  for (;;) {
    const counted = await tryToCount(context, { login, origin, account, network, isKnownDevice: isKnown })
    if ('id' in counted) {
      const whenRight = async () => {
        await sql`delete from sign_in_failure where id = ${counted.id}`.execute(context.db)
        if (account !== undefined) await rememberNetwork(context, account, network, counted.known_since)
      }
      const whenUnknown = async () => {
        await sql`delete from sign_in_failure where id = ${counted.id}`.execute(context.db)
      }
      return trackAttempt(context, counters, { whenRight, whenUnknown })
    }
    const { limit, maximum, seconds } = counted
    const others = [...context.pendingAttempts].filter((each) => each[limit] === counters[limit])
    if (others.length === 0) {
      await auditSignIn(context, attempt, 'rate_limited')
      throw new ApiError('rate_limited', { allowed: { maximum } }).with({ 'retry-after': String(seconds) })
    }
    await Promise.race(others.map(({ ended }) => ended))
  }
}

function trackAttempt(
  { pendingAttempts }: Context,
  counters: Counters,
  { whenRight, whenUnknown }: Record<'whenRight' | 'whenUnknown', () => Promise<void>>,
): CountedAttempt {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const one = { ...counters, ended }
  pendingAttempts.add(one)
  return {
    async judge(check) {
      try {
        const right = await check()
        if (right !== undefined) await whenRight()
        return right
      } catch (error) {
        // Nothing was learned about the password: people are not slowed down after the directory was down.
        if (error instanceof ApiError && error.reason === 'directory_unavailable') await whenUnknown()
        throw error
      } finally {
        pendingAttempts.delete(one)
        end()
      }
    },
  }
}

interface AttemptCounters {
  login: Buffer
  origin: string
  account: AccountId | undefined
  network: Buffer
  isKnownDevice: boolean
}

/** The number of the failure, or the exceeded limit and the time of the next attempt. */
async function tryToCount(
  { db, clock }: Context,
  { login, origin, account, network, isKnownDevice: isDevice }: AttemptCounters,
) {
  const now = clock.now()
  const since = new Date(now.getTime() - FAILURE_WINDOW_MS)
  const recently = new Date(now.getTime() - CEILING_WINDOW_MS)
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${login.toString('hex')}, 1))`.execute(tx)
    const { rows } = await sql<Figures>`
      select of_pair.failures as of_pair, of_pair.newest, of_network.failures as of_network, of_network.oldest,
        (select count(*) from (select from sign_in_failure where "on" > ${recently} limit ${MAX_FAILURES_OF_SITE}) recent) as of_site,
        ${knownNetworkSince(account, network)} as known_since
      from (select count(*) as failures, max("on") as newest from sign_in_failure
          where login = ${login} and address = ${origin} and "on" > ${since}) of_pair,
        (select count(*) as failures, min("on") as oldest from sign_in_failure
          where address = ${origin} and "on" > ${recently}) of_network`.execute(tx)
    const [figures] = rows
    if (!figures) throw new Error('The count of failures has no row.')
    const reached = findReachedLimit(figures, now, isDevice)
    if (reached) return reached
    const { id } = await tx
      .insertInto('sign_in_failure')
      .values({ login, address: origin, on: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, known_since: figures.known_since }
  })
}

interface Figures {
  of_pair: number
  newest: Date | null
  of_network: number
  oldest: Date | null
  of_site: number
  known_since: Date | null
}

function findReachedLimit(
  { of_pair, newest, of_network, oldest, of_site, known_since }: Figures,
  now: Date,
  isDevice: boolean,
): { limit: Limit; maximum: number; seconds: number } | undefined {
  const untilIn = (start: Date | null, wait: number) =>
    Math.ceil(((start ?? now).getTime() + wait - now.getTime()) / 1000)
  if (of_pair >= FREE_FAILURES) {
    const delay = Math.min(FIRST_DELAY_MS * 2 ** (of_pair - FREE_FAILURES), MAX_DELAY_MS)
    const seconds = untilIn(newest, delay)
    if (seconds > 0) return { limit: 'pair', maximum: FREE_FAILURES, seconds }
  }
  if (isDevice) return undefined
  if (of_network >= MAX_FAILURES_PER_NETWORK)
    return {
      limit: 'network',
      maximum: MAX_FAILURES_PER_NETWORK,
      seconds: Math.max(1, untilIn(oldest, CEILING_WINDOW_MS)),
    }
  if (of_site >= MAX_FAILURES_OF_SITE && known_since === null)
    return { limit: 'site', maximum: MAX_FAILURES_OF_SITE, seconds: SITE_RETRY_SECONDS }
  return undefined
}
