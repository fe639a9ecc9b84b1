/** Connection time by which an owner counts as heavy, with a half-life of `HALF_LIFE_MS`. */
const HEAVY_MS = 1000
const HALF_LIFE_MS = 5000
const MAX_IDLE_OWNERS = 10_000

/** The error of the `pg` pool for this case: it becomes `unavailable`, which clients may retry. */
const TIMEOUT_MESSAGE = 'timeout exceeded when trying to connect'

interface Waiter {
  readonly since: number
  readonly start: () => void
}

/** One client (account or address) and its use of the pool. */
interface Owner {
  running: number
  /** Sum of the start times of running ones: their total age is `running * now - startTimes`. */
  startTimes: number
  usedMs: number
  updated: number
  readonly waiting: Waiter[]
}

export interface FairQueue {
  readonly waiting: number
  /** Waits for a permit; call the result to release it. Work without an owner (internal work) has no limit. */
  acquire(owner: string | undefined): Promise<() => void>
}

/**
 * The queue in front of a pool of `max` connections. A quarter of the pool is reserved for clients with little recent
 * connection time: heavy clients share the rest, and so does any single client. Order of service: internal work, then
 * light clients, then heavy ones by least use.
 */
export function createFairQueue(
  max: number,
  timeoutMs: number,
  now: () => number = () => performance.now(),
): FairQueue {
  const share = max - Math.floor(max / 4)
  const owners = new Map<string | undefined, Owner>()
  let running = 0
  let waiting = 0

  const usage = (owner: Owner, time: number) =>
    owner.usedMs * 0.5 ** ((time - owner.updated) / HALF_LIFE_MS) + (owner.running * time - owner.startTimes)
  const isHeavy = (owner: Owner, time: number) => usage(owner, time) > HEAVY_MS

  function mayStart(key: string | undefined, owner: Owner, time: number): boolean {
    if (running >= max) return false
    if (key === undefined) return true
    if (owner.running >= share) return false
    if (!isHeavy(owner, time)) return true
    let heavy = 0
    for (const [other, each] of owners)
      if (other !== undefined && each.running > 0 && isHeavy(each, time)) heavy += each.running
    return heavy < share
  }

  function begin(owner: Owner): () => void {
    const began = now()
    running++
    owner.running++
    owner.startTimes += began
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const time = now()
      owner.usedMs = owner.usedMs * 0.5 ** ((time - owner.updated) / HALF_LIFE_MS) + (time - began)
      owner.updated = time
      owner.startTimes -= began
      owner.running--
      running--
      if (waiting > 0) while (startNext()) {}
    }
  }

  function startNext(): boolean {
    const time = now()
    let best: { owner: Owner; rank: readonly number[] } | undefined
    for (const [key, owner] of owners) {
      const [first] = owner.waiting
      if (!first || !mayStart(key, owner, time)) continue
      const kind = key === undefined ? 0 : isHeavy(owner, time) ? 2 : 1
      const rank = [kind, owner.running, kind === 2 ? usage(owner, time) : 0, first.since]
      if (!best || comesBefore(rank, best.rank)) best = { owner, rank }
    }
    best?.owner.waiting.shift()?.start()
    return best !== undefined
  }

  function ownerOf(key: string | undefined): Owner {
    const known = owners.get(key)
    if (known) return known
    if (owners.size >= MAX_IDLE_OWNERS)
      for (const [other, { running: used, waiting: queue }] of owners)
        if (used === 0 && queue.length === 0) owners.delete(other)
    const owner: Owner = { running: 0, startTimes: 0, usedMs: 0, updated: now(), waiting: [] }
    owners.set(key, owner)
    return owner
  }

  return {
    get waiting() {
      return waiting
    },
    async acquire(key) {
      const owner = ownerOf(key)
      if (owner.waiting.length === 0 && mayStart(key, owner, now())) return begin(owner)
      waiting++
      try {
        return await new Promise<() => void>((resolve, reject) => {
          const waiter = {
            since: now(),
            start() {
              clearTimeout(timer)
              resolve(begin(owner))
            },
          }
          const timer = setTimeout(() => {
            owner.waiting.splice(owner.waiting.indexOf(waiter), 1)
            reject(new Error(TIMEOUT_MESSAGE))
          }, timeoutMs)
          owner.waiting.push(waiter)
        })
      } finally {
        waiting--
      }
    },
  }
}

function comesBefore(one: readonly number[], other: readonly number[]): boolean {
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? 0
    if (value !== against) return value < against
  }
  return false
}
