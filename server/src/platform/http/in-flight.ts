import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../words/errors.ts'
import type { AccountId } from './viewer.ts'

/** Whose requests are counted together: an account, or a credential whose account is not known yet. */
type Counted = AccountId | string | undefined

/** Bounds how much of one account runs at once in this process, so that nobody takes all of it. */
export interface InFlight {
  /** Takes a place; what it returns gives it back. */
  enter(whose: Counted): () => void
  run<T>(whose: Counted, work: () => Promise<T>): Promise<T>
}

export function createInFlight(maximum: number): InFlight {
  const running = new Map<AccountId | string, number>()
  const enter = (whose: Counted) => {
    if (whose === undefined) return () => {}
    const count = running.get(whose) ?? 0
    if (count >= maximum) throw new ApiError('rate_limited', { allowed: { maximum } }).with({ 'retry-after': '1' })
    running.set(whose, count + 1)
    return () => {
      const left = (running.get(whose) ?? 1) - 1
      if (left === 0) running.delete(whose)
      else running.set(whose, left)
    }
  }
  return {
    enter,
    async run(whose, work) {
      const leave = enter(whose)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

/** What will tell who asks, whatever it is worth; undefined: nothing does. */
export function credentialIn(headers: IncomingHttpHeaders): string | undefined {
  const { 'x-auth-accesskey': key, authorization, 'x-auth-token': token, cookie } = headers
  const given = key ?? authorization ?? token ?? cookie
  return given === undefined ? undefined : String(given)
}
