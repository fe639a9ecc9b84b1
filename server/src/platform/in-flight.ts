import { ApiError } from './errors.ts'
import type { AccountId } from './viewer.ts'

/** Bounds how many requests of one account run at once in this process, so that nobody takes all of it. */
export interface InFlight {
  enter(account: AccountId | undefined): Disposable
}

const FREE: Disposable = { [Symbol.dispose]() {} }

export function createInFlight(maximum: number): InFlight {
  const running = new Map<AccountId, number>()
  return {
    enter(account) {
      if (account === undefined) return FREE
      const count = running.get(account) ?? 0
      if (count >= maximum) throw new ApiError('rate_limited', { allowed: { maximum } }).with({ 'retry-after': '1' })
      running.set(account, count + 1)
      return {
        [Symbol.dispose]() {
          const left = (running.get(account) ?? 1) - 1
          if (left === 0) running.delete(account)
          else running.set(account, left)
        },
      }
    },
  }
}
