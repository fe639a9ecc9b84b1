import { clientNetwork } from '../operation/networks.ts'
import { ApiError } from '../messages/errors.ts'
import type { AccountId } from './viewer.ts'

/** A quota of units per window. Each policy is a constant of the room that applies it. */
export interface RatePolicy {
  /** The policy name in `RateLimit` and `RateLimit-Policy`. */
  readonly name: string
  readonly quota: number
  readonly windowSeconds: number
}

/** The limits of this process. Each process counts for itself; limits that must hold across processes are in the database. */
export interface RateLimits {
  /** Takes units from the quota of this client. Throws `rate_limited` if there are not enough left, and takes none. */
  consume(policy: RatePolicy, client: string, units?: number): void
  /** Takes units that were used already, even if that leaves a debt. */
  charge(policy: RatePolicy, client: string, units: number): void
  /** Throws `rate_limited` if there is a debt, or nothing is left. */
  assertAvailable(policy: RatePolicy, client: string): void
}

/** Bounds the memory of one policy. Beyond, the client that was idle for longest is forgotten and starts with a full quota. */
export const MAX_CLIENTS_PER_POLICY = 50_000

/**
 * Generic cell rate algorithm: one number per client, the time at which its quota will be full again. `factor`
 * multiplies every quota; `now` is a monotonic clock in milliseconds, because the system clock may be set.
 */
export function createRateLimits(factor = 1, now: () => number = () => performance.now()): RateLimits {
  const policies = new Map<string, Map<string, number>>()
  const clientsOf = ({ name }: RatePolicy) => {
    const clients = policies.get(name) ?? new Map<string, number>()
    policies.set(name, clients)
    return clients
  }
  const debit = (policy: RatePolicy, client: string, units: number, mayOwe: boolean) => {
    const clients = clientsOf(policy)
    const windowMs = policy.windowSeconds * 1000
    const time = now()
    const fullAt = Math.max(clients.get(client) ?? 0, time) + (units * windowMs) / (policy.quota * factor)
    const waitMs = fullAt - windowMs - time
    if (waitMs > 0 && !mayOwe) throw rateLimited({ ...policy, quota: policy.quota * factor }, Math.ceil(waitMs / 1000))
    clients.delete(client) // The order of insertion is the order of last use.
    clients.set(client, fullAt)
    evict(clients, time)
  }
  return {
    consume: (policy, client, units = 1) => debit(policy, client, units, false),
    charge: (policy, client, units) => debit(policy, client, units, true),
    assertAvailable(policy, client) {
      const waitMs = (clientsOf(policy).get(client) ?? 0) - policy.windowSeconds * 1000 - now()
      if (waitMs >= 0) throw rateLimited({ ...policy, quota: policy.quota * factor }, Math.ceil(waitMs / 1000))
    },
  }
}

function evict(clients: Map<string, number>, time: number): void {
  for (const [client, fullAt] of clients) {
    if (fullAt > time && clients.size <= MAX_CLIENTS_PER_POLICY) return
    clients.delete(client)
  }
}

/**
 * Requests are counted by account, and without one by network: an IPv6 client has a whole /64 to choose from. A command
 * line has no address.
 */
export function clientKey({ account_id }: { account_id?: AccountId | undefined }, address: string | null): string {
  return account_id === undefined ? `network ${clientNetwork(address ?? 'local')}` : `account ${account_id}`
}

interface LimitReached {
  readonly name: string
  readonly quota: number
  /** Absent for a concurrency limit. */
  readonly windowSeconds?: number
}

/** The refusal of every rate limit, with the fields of the IETF draft `ratelimit-headers`. */
export function rateLimited(limit: LimitReached, waitSeconds: number): ApiError<'rate_limited'> {
  const error = new ApiError('rate_limited', { allowed: { maximum: limit.quota } })
  return error.with(rateLimitHeaders(limit, waitSeconds))
}

/** `Retry-After`, `RateLimit` and `RateLimit-Policy` of an answer to a client whose quota is used up. */
export function rateLimitHeaders(limit: LimitReached, waitSeconds: number): Record<string, string> {
  const { name, quota, windowSeconds } = limit
  const seconds = Math.max(1, waitSeconds)
  const unit = windowSeconds === undefined ? 'qu="concurrent-requests"' : `w=${windowSeconds}`
  return {
    'retry-after': String(seconds),
    ratelimit: `"${name}";r=0;t=${seconds}`,
    'ratelimit-policy': `"${name}";q=${Math.floor(quota)};${unit}`,
  }
}

/** Adds these headers to a 429 that was thrown without them, derived from the error. */
export function completeLimitHeaders({ reason, headers, details }: ApiError): Record<string, string> {
  if (headers['ratelimit'] !== undefined) return {}
  const seconds = headers['retry-after'] ?? '1'
  const { allowed } = details ?? {}
  const quota = typeof allowed === 'object' && 'maximum' in allowed ? Number(allowed.maximum) : 1
  const name = reason.replaceAll('_', '-')
  return { 'retry-after': seconds, ratelimit: `"${name}";r=0;t=${seconds}`, 'ratelimit-policy': `"${name}";q=${quota}` }
}
