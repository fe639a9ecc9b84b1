import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context } from '../operation/context.ts'
import type { Turn } from './turn.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { clientKey, type RatePolicy } from './rate-limit.ts'
import type { Viewer } from './viewer.ts'

/** Seconds of expensive queries per minute. */
const ACCOUNT_QUERY_POLICY: RatePolicy = { name: 'expensive-queries', quota: 10, windowSeconds: 60 }
export const ANONYMOUS_QUERY_POLICY: RatePolicy = { name: 'expensive-queries-anonymous', quota: 3, windowSeconds: 60 }

const MAX_CONCURRENT_PER_CLIENT = 2
const MAX_CONCURRENT_ANONYMOUS = 2

/** Limits queries without an index: how many run at once, and their seconds per client and minute. */
export interface QueryCosts {
  /** Runs a request; `runExpensive` inside it is charged to this client. */
  countFor<T>(viewer: Viewer, address: string, turn: Turn, request: () => Promise<T>): Promise<T>
}

interface Client {
  readonly context: Context
  readonly key: string
  readonly policy: RatePolicy
  readonly enter: () => () => void
  readonly turn: Turn
}

const clients = new AsyncLocalStorage<Client>()

export function createQueryCosts(context: Context): QueryCosts {
  const factor = context.config.WAYPOST_RATE_LIMIT_FACTOR
  const ofClient = createConcurrencyLimit(MAX_CONCURRENT_PER_CLIENT * factor)
  const ofAnonymous = createConcurrencyLimit(MAX_CONCURRENT_ANONYMOUS * factor)
  return {
    countFor(viewer, address, turn, request) {
      const isAnonymous = viewer.account_id === undefined
      const key = clientKey(viewer, address)
      const policy = isAnonymous ? ANONYMOUS_QUERY_POLICY : ACCOUNT_QUERY_POLICY
      const enter = () =>
        enterAll([() => ofClient.acquire(key), () => ofAnonymous.acquire(isAnonymous ? 'all' : undefined)])
      return clients.run({ context, key, policy, enter, turn }, request)
    },
  }
}

/** Takes a permit of each limit, or none. */
function enterAll(places: readonly (() => () => void)[]): () => void {
  const left: (() => void)[] = []
  const leave = () => {
    for (const each of left) each()
  }
  try {
    for (const enter of places) left.push(enter())
  } catch (error) {
    leave()
    throw error
  }
  return leave
}

/** Runs a query that may scan a table. Jobs and commands have no client, and no limit. */
export async function runExpensive<T>(query: () => Promise<T>): Promise<T> {
  const client = clients.getStore()
  if (!client) return query()
  const { context, key, policy, enter, turn } = client
  context.rateLimits.assertAvailable(policy, key)
  const leave = enter()
  const charged = async () => {
    const began = performance.now()
    try {
      return await query()
    } finally {
      context.rateLimits.charge(policy, key, (performance.now() - began) / 1000)
    }
  }
  try {
    return await turn.scan(charged)
  } finally {
    leave()
  }
}
