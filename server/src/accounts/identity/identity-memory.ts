import { LRUCache } from 'lru-cache'
import { createSemaphore } from '../../platform/operation/semaphore.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly identityMemory: IdentityMemory
  }
}

/** Documents of providers (metadata, keys), loaded once for all requests of this process. */
export interface IdentityMemory {
  /** Limits requests to providers, so that slow ones cannot hold any number of sign-ins. */
  limit<T>(request: () => Promise<T>): Promise<T>
  /**
   * The document that is at most `maxAgeMs` old. Concurrent callers share one request. If it fails, an older document is
   * taken for a day; without one the failure is remembered for a few seconds.
   */
  load(key: string, maxAgeMs: number, request: () => Promise<object>): Promise<object>
}

interface Entry {
  readonly loading: Promise<object>
  readonly at: number
  good: { readonly document: object; readonly at: number } | undefined
}

const MAX_DOCUMENTS = 200
const MAX_REQUESTS = 20
const MAX_WAITING_REQUESTS = 200
const FAILURE_TTL_MS = 3000
const STALE_TTL_MS = 86_400_000

export function createIdentityMemory(now: () => number = () => performance.now()): IdentityMemory {
  const entries = new LRUCache<string, Entry>({ max: MAX_DOCUMENTS })
  return {
    limit: createSemaphore(MAX_REQUESTS, MAX_WAITING_REQUESTS),
    async load(key, maxAgeMs, request) {
      const known = entries.get(key)
      const isFresh =
        known && now() - known.at <= (known.good?.at === known.at ? maxAgeMs : Math.min(maxAgeMs, FAILURE_TTL_MS))
      const entry = isFresh ? known : start(key, request, known?.good)
      try {
        return await entry.loading
      } catch (error) {
        if (entry.good && now() - entry.good.at <= STALE_TTL_MS) return entry.good.document
        throw error
      }
    },
  }

  function start(key: string, request: () => Promise<object>, good: Entry['good']): Entry {
    const at = now()
    const entry: Entry = { loading: request(), at, good }
    void rememberDocument(entry)
    entries.set(key, entry)
    return entry
  }

  async function rememberDocument(entry: Entry): Promise<void> {
    try {
      entry.good = { document: await entry.loading, at: entry.at }
    } catch {
      // The caller that awaits `loading` gets the error.
    }
  }
}
