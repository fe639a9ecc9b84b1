import { LRUCache } from 'lru-cache'
import { setTimeout as pause } from 'node:timers/promises'
import type { Poller } from '../../platform/jobs/poller.ts'
import type { Context } from '../../platform/operation/context.ts'
import { createSemaphore, type Semaphore } from '../../platform/operation/semaphore.ts'
import { readSettingsVersion } from '../../platform/operation/settings.ts'
import { claimRuns, type DeliveryRun, FAILING_THRESHOLD } from './claim-deliveries.ts'
import { deliverRun } from './deliver-run.ts'
import type { WebhookId } from './webhook.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly deliveryPool: DeliveryPool
  }
}

/** Runs of deliveries in this process. */
export interface DeliveryPool {
  readonly inFlight: Map<Promise<void>, DeliveryRun>
  /** Limits database use, because connections are shared with requests. */
  readonly databaseSemaphore: Semaphore
  /** The next length of a run for hooks whose receivers are known to be fast or slow. */
  readonly runLengths: LRUCache<WebhookId, number>
  /** The process ends: runs begin no more requests. */
  isEnding: boolean
}

export function createDeliveryPool(): DeliveryPool {
  return {
    inFlight: new Map(),
    databaseSemaphore: createSemaphore(DATABASE_CONCURRENCY),
    runLengths: new LRUCache({ max: MAX_KNOWN_LENGTHS }),
    isEnding: false,
  }
}

const REQUEST_CONCURRENCY = 32
const DATABASE_CONCURRENCY = 3
const FAILING_HOOK_CONCURRENCY = 16
const POLL_INTERVAL_MS = 250
const MAX_KNOWN_LENGTHS = 1000

/**
 * Sends due deliveries. A turn does not wait for receivers: runs are sent in the background, without a transaction.
 */
export const deliver: Poller = {
  name: 'deliver',
  async turn(context) {
    const { inFlight, runLengths } = context.deliveryPool
    const runs = [...inFlight.values()]
    const free = {
      all: REQUEST_CONCURRENCY - countRequests(runs),
      failing: FAILING_HOOK_CONCURRENCY - countRequests(runs.filter(isFailing)),
    }
    const hadInFlight = inFlight.size > 0 // A run that ends meanwhile may unblock others.
    const claimed = await claimRuns(context.db, free, context.clock.now(), new Map(runLengths.entries()))
    if (claimed.length > 0) await context.settings.reloadIfChanged(await readSettingsVersion(context.db))
    for (const run of claimed) startRun(context, run)
    if (claimed.length > 0 || !hadInFlight) return claimed.length > 0
    if (inFlight.size > 0) await Promise.race([...inFlight.keys(), pause(POLL_INTERVAL_MS)])
    return true
  },
  async end({ deliveryPool }) {
    deliveryPool.isEnding = true
    await Promise.all(deliveryPool.inFlight.keys())
    deliveryPool.isEnding = false
  },
}

function countRequests(runs: readonly DeliveryRun[]): number {
  return runs.reduce((sum, { concurrency }) => sum + concurrency, 0)
}

function isFailing({ deliveries }: DeliveryRun): boolean {
  return deliveries.some(({ failures }) => failures >= FAILING_THRESHOLD)
}

function startRun(context: Context, run: DeliveryRun): void {
  const { inFlight } = context.deliveryPool
  const sending = deliverRun(context, run)
    .catch((error: unknown) => context.log.warn({ err: error, webhook_id: run.webhook_id }, 'deliveries failed'))
    .finally(() => inFlight.delete(sending))
  inFlight.set(sending, run)
}
