const HALF_LIFE_MS = 5000
const MAX_CLIENTS = 20_000

/** The server time that each client has used recently, in milliseconds. */
export interface ClientCosts {
  get(client: string): number
  charge(client: string, milliseconds: number): void
  /** Keeps the cost from decaying while a request of the client waits. Returns the function that ends this. */
  hold(client: string): () => void
}

interface Cost {
  milliseconds: number
  updated: number
  holds: number
}

/**
 * A new client starts with an initial cost, behind clients whose cost is known to be low. Costs halve every five
 * seconds, except while requests of the client wait: a client that repeats its requests without a pause does not become
 * cheap by waiting. Beyond `MAX_CLIENTS` the least recently used client is forgotten.
 */
export function createClientCosts(initialMs: number, now: () => number): ClientCosts {
  const costs = new Map<string, Cost>()

  const settle = (cost: Cost) => {
    const time = now()
    if (cost.holds === 0) cost.milliseconds *= 0.5 ** ((time - cost.updated) / HALF_LIFE_MS)
    cost.updated = time
    return cost
  }

  function use(client: string): Cost {
    const cost = settle(costs.get(client) ?? { milliseconds: initialMs, updated: now(), holds: 0 })
    costs.delete(client) // The order of insertion is the order of last use.
    costs.set(client, cost)
    if (costs.size > MAX_CLIENTS) evictOne()
    return cost
  }

  function evictOne(): void {
    for (const [client, { holds }] of costs)
      if (holds === 0) {
        costs.delete(client)
        return
      }
  }

  return {
    get(client) {
      const cost = costs.get(client)
      return cost ? settle(cost).milliseconds : initialMs
    },
    charge(client, milliseconds) {
      use(client).milliseconds += milliseconds
    },
    hold(client) {
      const cost = use(client)
      cost.holds++
      return () => {
        settle(cost).holds--
      }
    },
  }
}
