import { LRUCache } from 'lru-cache'
import type { Clock } from './context.ts'

const MAX_KEYS = 10_000

/** A circuit breaker per key: after a timeout, callers fail at once for a while instead of waiting one after the other. */
export interface Cooldown<Key> {
  start(key: Key): void
  isActive(key: Key): boolean
}

export function createCooldown<Key extends {}>(clock: Clock, milliseconds: number): Cooldown<Key> {
  const ends = new LRUCache<Key, number>({ max: MAX_KEYS })
  const now = () => clock.now().getTime()
  return {
    start(key) {
      ends.set(key, now() + milliseconds)
    },
    isActive: (key) => now() < (ends.get(key) ?? 0),
  }
}
