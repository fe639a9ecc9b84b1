import { ApiError } from '../words/errors.ts'
import type { AccountId } from './viewer.ts'

/** Bounds how much of one account runs at once in this process, so that nobody takes all of it. */
export interface InFlight {
  /** Takes a place; what it returns gives it back. */
  enter(account: AccountId | undefined): () => void
  run<T>(account: AccountId | undefined, work: () => Promise<T>): Promise<T>
}

export function createInFlight(maximum: number): InFlight {
  const running = new Map<AccountId, number>()
  const enter = (account: AccountId | undefined) => {
    if (account === undefined) return () => {}
    const count = running.get(account) ?? 0
    if (count >= maximum) throw new ApiError('rate_limited', { allowed: { maximum } }).with({ 'retry-after': '1' })
    running.set(account, count + 1)
    return () => {
      const left = (running.get(account) ?? 1) - 1
      if (left === 0) running.delete(account)
      else running.set(account, left)
    }
  }
  return {
    enter,
    async run(account, work) {
      const leave = enter(account)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
