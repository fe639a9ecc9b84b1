import type { Context } from './context.ts'
import { createCachePerOwner } from './cache-per-owner.ts'

/** A circuit breaker per key: after a timeout, callers fail at once for a while instead of waiting one after the other. */
export function createCooldown<Key extends {}>(milliseconds: number) {
  const ends = createCachePerOwner<Key, number>(10_000)
  const now = ({ clock }: Context) => clock.now().getTime()
  return {
    start(context: Context, key: Key): void {
      ends(context).set(key, now(context) + milliseconds)
    },
    isActive(context: Context, key: Key): boolean {
      return now(context) < (ends(context).get(key) ?? 0)
    },
  }
}
