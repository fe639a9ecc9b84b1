import { LRUCache } from 'lru-cache'

/** One cache per owner, usually a server: installations in one process must not share entries. */
export function createCachePerOwner<Key extends {}, Value extends {}>(
  maxEntries: number,
): (owner: object) => LRUCache<Key, Value> {
  const caches = new WeakMap<object, LRUCache<Key, Value>>()
  return (owner) => {
    const cache = caches.get(owner) ?? new LRUCache<Key, Value>({ max: maxEntries })
    caches.set(owner, cache)
    return cache
  }
}
