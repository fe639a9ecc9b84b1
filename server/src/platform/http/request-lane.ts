import type { ClientCosts } from './client-costs.ts'
import { rateLimited } from './rate-limit.ts'

/** Random within these: requests that came together are not refused together. */
const MIN_WAIT_MS = 1500
const MAX_WAIT_MS = 2500
/** For work that is not refused: less than a database connection may be idle in its transaction. */
const MAX_BACKGROUND_WAIT_MS = 6000
const MAX_WAITING = 1000
const RETRY_AFTER_SECONDS = 2
/** Of the limit in responses. */
const POLICY_NAME = 'busy'

interface Waiter {
  readonly client: string
  readonly start: () => void
  /** Ends the wait: refuses the request, or starts it where it must not be refused. */
  readonly giveUp: () => void
}

/** A few places that requests wait for: the client with the least cost is next. */
export interface RequestLane {
  /**
   * Resolves with the function that gives the place back. After about two seconds a request is refused; other work
   * starts after six seconds in any case.
   */
  enter(client: string, isRefusable: boolean): Promise<() => void>
}

interface LaneOptions {
  /** For clients of this cost. */
  readonly places: (cost: number) => number
  /** A place is given to the next request after this time, even if the work goes on. */
  readonly maxHoldMs?: number
  /** How long a place stays empty after work that took `heldMs`, while so many wait. */
  readonly restMs?: (heldMs: number, waiting: number) => number
}

export function createRequestLane(
  { places, maxHoldMs, restMs }: LaneOptions,
  costs: Pick<ClientCosts, 'get' | 'hold'>,
): RequestLane {
  const waiting = new Set<Waiter>()
  let running = 0

  function begin(): () => void {
    running++
    const began = performance.now()
    let isLeft = false
    const timer = maxHoldMs === undefined ? undefined : setTimeout(() => leave(), maxHoldMs).unref()
    const leave = () => {
      if (isLeft) return
      isLeft = true
      clearTimeout(timer)
      const rest = restMs?.(performance.now() - began, waiting.size) ?? 0
      if (rest > 0) setTimeout(free, rest).unref()
      else free()
    }
    return leave
  }

  function free(): void {
    running--
    while (startNext()) {}
  }

  function startNext(): boolean {
    const next = findByCost((cost, best) => cost < best)
    if (!next || running >= places(costs.get(next.client))) return false
    next.start()
    return true
  }

  /** The first in line of those with the best cost. */
  function findByCost(isBetter: (cost: number, best: number) => boolean): Waiter | undefined {
    let found: Waiter | undefined
    let best = 0
    for (const waiter of waiting) {
      const cost = costs.get(waiter.client)
      if (found && !isBetter(cost, best)) continue
      found = waiter
      best = cost
    }
    return found
  }

  /** Whether another client is to be served first. */
  function isBehind(client: string): boolean {
    const cost = costs.get(client)
    for (const waiter of waiting) if (costs.get(waiter.client) <= cost) return true
    return false
  }

  return {
    enter(client, isRefusable) {
      if (running < places(costs.get(client)) && !isBehind(client)) return Promise.resolve(begin())
      return new Promise((resolve, reject) => {
        const release = costs.hold(client)
        const end = () => {
          clearTimeout(timer)
          waiting.delete(waiter)
          release()
        }
        const start = () => {
          end()
          resolve(begin())
        }
        const refuse = () => {
          end()
          reject(rateLimited({ name: POLICY_NAME, quota: places(Number.POSITIVE_INFINITY) }, RETRY_AFTER_SECONDS))
        }
        const waiter: Waiter = { client, start, giveUp: isRefusable ? refuse : start }
        const timer = setTimeout(() => waiter.giveUp(), isRefusable ? randomWait() : MAX_BACKGROUND_WAIT_MS)
        waiting.add(waiter)
        if (waiting.size > MAX_WAITING) findByCost((cost, best) => cost > best)?.giveUp()
      })
    },
  }
}

function randomWait(): number {
  return MIN_WAIT_MS + Math.random() * (MAX_WAIT_MS - MIN_WAIT_MS)
}
