import type { IncomingHttpHeaders } from 'node:http'
import { rateLimited } from './rate-limit.ts'
import type { AccountId } from './viewer.ts'

/** An account, or a credential whose account is not known yet. */
type LimitKey = AccountId | string | undefined

/** Limits concurrent work per account in this process, so that one account cannot use all of it. */
export interface ConcurrencyLimit {
  /** Takes a permit; returns the function that releases it. */
  acquire(key: LimitKey): () => void
  run<T>(key: LimitKey, work: () => Promise<T>): Promise<T>
}

export function createConcurrencyLimit(maximum: number): ConcurrencyLimit {
  const running = new Map<AccountId | string, number>()
  const acquire = (key: LimitKey) => {
    if (key === undefined) return () => {}
    const count = running.get(key) ?? 0
    if (count >= maximum) throw rateLimited({ name: 'concurrent', quota: maximum }, 1)
    running.set(key, count + 1)
    return () => {
      const remaining = (running.get(key) ?? 1) - 1
      if (remaining === 0) running.delete(key)
      else running.set(key, remaining)
    }
  }
  return {
    acquire,
    async run(key, work) {
      const release = acquire(key)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

/** The credential of a request, not validated yet; undefined: there is none. */
export function getCredential(headers: IncomingHttpHeaders): string | undefined {
  const { 'x-auth-accesskey': key, authorization, 'x-auth-token': token, cookie } = headers
  const given = key ?? authorization ?? token ?? cookie
  return given === undefined ? undefined : String(given)
}
