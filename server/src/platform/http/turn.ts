import { setImmediate } from 'node:timers/promises'

/** A client as the connection pool names it: `account 102`, or a network. The name changes after authentication. */
export interface AdmittedClient {
  readonly key: string
}

/** A request and its place in one of the lanes. While it has none, it must hold no connection of the interactive pool. */
export interface Turn {
  /**
   * Waits for a place. Called again after authentication, it moves a request of a light account to the fast lane.
   */
  enter(): Promise<void>
  /** Gives the place back for good: from now on the request only sends its response. */
  leave(): void
  /** Continues in the slow lane, for requests that cost much by themselves. */
  slowDown(): Promise<void>
  /** Gives the place back while the request waits for something else than the processor. */
  whileWaiting<T>(wait: () => Promise<T>, isRefusable?: boolean): Promise<T>
  /** Runs a query that scans a table in the slow lane. */
  scan<T>(query: () => Promise<T>): Promise<T>
  /** Runs a part of a long response after the request itself has ended. Waits for a place, but is never refused. */
  inBackground<T>(work: () => Promise<T>): Promise<T>
}

/** The decisions of the scheduler (`admission.ts`) that a turn needs. Places end by the returned function. */
interface TurnLanes {
  isLight(client: AdmittedClient): boolean
  enterFast(client: AdmittedClient, isRefusable: boolean): Promise<() => void>
  enterSlow(client: AdmittedClient, isRefusable: boolean): Promise<() => void>
  yieldToFast(): Promise<void>
}

export function openTurn(client: AdmittedClient, lanes: TurnLanes): Turn & { yield(): Promise<void> } {
  let place: { readonly isFast: boolean; readonly leave: () => void } | undefined
  const leave = () => {
    place?.leave()
    place = undefined
  }
  const enterSlow = async (isRefusable = true) => {
    const left = await lanes.enterSlow(client, isRefusable)
    place = { isFast: false, leave: left }
  }
  const enter = async (isRefusable = true) => {
    if (lanes.isLight(client)) {
      if (place?.isFast) return
      leave()
      place = { isFast: true, leave: await lanes.enterFast(client, isRefusable) }
    } else if (!place) await enterSlow(isRefusable)
  }
  return {
    enter: () => enter(),
    leave,
    yield: () => (place?.isFast ? setImmediate() : lanes.yieldToFast()),
    async slowDown() {
      if (place && !place.isFast) return
      leave()
      await enterSlow()
    },
    async whileWaiting(wait, isRefusable = true) {
      const wasSlow = place && !place.isFast
      leave()
      const result = await wait()
      await (wasSlow ? enterSlow(isRefusable) : enter(isRefusable))
      return result
    },
    async scan(query) {
      if (!place?.isFast) return query()
      leave()
      await enterSlow()
      try {
        return await query()
      } finally {
        leave()
        await enter(false)
      }
    },
    async inBackground(work) {
      if (place) return work()
      await enterSlow(false)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
