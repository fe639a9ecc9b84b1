import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import { runSliced } from '../operation/slices.ts'
import { createClientCosts } from './client-costs.ts'
import { createRequestLane, type RequestLane } from './request-lane.ts'
import { type AdmittedClient, openTurn, type Turn } from './turn.ts'

/** Clients with at most this cost are light. */
const LIGHT_COST_MS = 200
/** Of a client that is not known yet. */
const INITIAL_COST_MS = 100
/** Clients with at least this cost are heavy; so are anonymous ones, which are served after other clients. */
const HEAVY_COST_MS = 400
/** Concurrent requests of one light client in the fast lane: a browser opens six connections. */
const MAX_FAST_PER_CLIENT = 6
/** As many as the connection pool has connections. Requests that take longer than usual do not count. */
const FAST_PLACES = 8
/** For light clients that cost more than a new one. */
const FAST_PLACES_OF_BUSY = 3
const MAX_FAST_HOLD_MS = 250
/** One of the places of the slow lane is kept for clients that are neither light nor heavy. */
const HEAVY_PLACES = 1
const SLOW_PLACES = 2
/** While no light client is active. */
const SLOW_PLACES_ALONE = 4
const LIGHT_ACTIVE_MS = 1000
const MAX_YIELD_MS = 50
/** Between slices of slow requests while light clients are active: half of the time is left to others. */
const REST_MS = 4
/** When so many requests wait for the slow lane, it works for a quarter of the time only. */
const MIN_OVERLOAD = 8
const OVERLOAD_REST = 3
const MAX_REST_MS = 1000
const YIELD_CHECK_MS = 2

/**
 * Decides when requests run, so that a few clients cannot slow down the others. Accounts with little recent cost use the
 * fast lane. Clients with much recent cost, anonymous clients, large pages, scans and exports share the few places of the
 * slow lane. In both lanes the client with the least cost is next.
 */
export interface Admission {
  run<T>(client: AdmittedClient, request: (turn: Turn) => Promise<T>): Promise<T>
}

export function createAdmission(factor = 1, now: () => number = () => performance.now()): Admission {
  const costs = createClientCosts(INITIAL_COST_MS, now)
  const fastRequests = new Map<string, number>()
  let lastFastAt = Number.NEGATIVE_INFINITY
  const fastPlaces = (cost: number) => (cost <= INITIAL_COST_MS ? FAST_PLACES : FAST_PLACES_OF_BUSY) * factor
  const isFastRunning = () => fastRequests.size > 0
  const areLightClientsActive = () => isFastRunning() || now() - lastFastAt < LIGHT_ACTIVE_MS
  const slowPlaces = (cost: number) => {
    if (!areLightClientsActive()) return SLOW_PLACES_ALONE * factor
    return (cost < HEAVY_COST_MS ? SLOW_PLACES : HEAVY_PLACES) * factor
  }
  const restOfSlow = (heldMs: number, waiting: number) =>
    areLightClientsActive() && waiting >= MIN_OVERLOAD * factor ? Math.min(OVERLOAD_REST * heldMs, MAX_REST_MS) : 0
  const ranks = {
    hold: (client: string) => costs.hold(client),
    get: (client: string) => costs.get(client) + (isAccount(client) ? 0 : HEAVY_COST_MS),
  }
  const lanes = {
    fast: createRequestLane({ places: fastPlaces, maxHoldMs: MAX_FAST_HOLD_MS }, ranks),
    slow: createRequestLane({ places: slowPlaces, restMs: restOfSlow }, ranks),
  }

  // Requests that run at the same time share the time: each is charged for its part.
  let running = 0
  let shared = 0
  let sharedAt = now()
  const readShared = () => {
    const time = now()
    if (running > 0) shared += (time - sharedAt) / running
    sharedAt = time
    return shared
  }
  const startCharging = (client: AdmittedClient) => {
    const began = readShared()
    running++
    return () => {
      const ended = readShared()
      running--
      costs.charge(client.key, ended - began)
    }
  }

  const isLight = ({ key }: AdmittedClient) =>
    isAccount(key) && costs.get(key) < LIGHT_COST_MS && (fastRequests.get(key) ?? 0) < MAX_FAST_PER_CLIENT * factor

  async function enterFast(client: AdmittedClient, isRefusable: boolean): Promise<() => void> {
    const { key } = client
    fastRequests.set(key, (fastRequests.get(key) ?? 0) + 1)
    const leavePlace = await enterLane(lanes.fast, client, isRefusable).catch((error: unknown) => {
      leaveFast(key)
      throw error
    })
    return () => {
      leavePlace()
      leaveFast(key)
    }
  }

  function leaveFast(key: string): void {
    lastFastAt = now()
    const count = (fastRequests.get(key) ?? 1) - 1
    if (count === 0) fastRequests.delete(key)
    else fastRequests.set(key, count)
  }

  async function enterLane(lane: RequestLane, client: AdmittedClient, isRefusable: boolean): Promise<() => void> {
    const leave = await lane.enter(client.key, isRefusable)
    const stopCharging = startCharging(client)
    return () => {
      stopCharging()
      leave()
    }
  }

  const enterSlow = (client: AdmittedClient, isRefusable: boolean) => enterLane(lanes.slow, client, isRefusable)

  /** Slow requests continue when no fast one runs, or after a short time. */
  async function yieldToFast(): Promise<void> {
    await setImmediate()
    if (areLightClientsActive()) await pause(REST_MS)
    const until = now() + MAX_YIELD_MS
    while (isFastRunning() && now() < until) await pause(YIELD_CHECK_MS)
  }

  return {
    async run(client, request) {
      const turn = openTurn(client, { isLight, enterFast, enterSlow, yieldToFast })
      try {
        return await runSliced(turn, () => request(turn))
      } finally {
        turn.leave()
      }
    },
  }
}

function isAccount(client: string): boolean {
  return client.startsWith('account ')
}
