import { setTimeout as pause } from 'node:timers/promises'
import type { Poller } from '../../platform/jobs/poller.ts'
import type { Context } from '../../platform/operation/context.ts'
import { readSettingsVersion } from '../../platform/operation/settings.ts'
import { failpoint } from '#failpoint'
import { composeBodies } from './compose-body.ts'
import { createSemaphore, type Semaphore } from '../../platform/operation/semaphore.ts'
import { deleteDelivery, recordOutcome, returnDelivery } from './record-outcome.ts'
import { sendOutboundRequest } from './send-outbound-request.ts'
import { maskSignature, signBody } from './sign.ts'
import { FAILING_THRESHOLD, claimDeliveries, type ClaimedDelivery } from './claim-deliveries.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly deliveryPool: DeliveryPool
  }
}

/** Deliveries in flight in this process. */
export interface DeliveryPool {
  readonly inFlight: Map<Promise<void>, ClaimedDelivery>
  /** Limits database use, because connections are shared with requests. */
  readonly databaseSemaphore: Semaphore
}

export function createDeliveryPool(): DeliveryPool {
  return { inFlight: new Map(), databaseSemaphore: createSemaphore(DATABASE_CONCURRENCY) }
}

const DELIVERY_CONCURRENCY = 32
const DATABASE_CONCURRENCY = 3
const FAILING_HOOK_CONCURRENCY = 16
const POLL_INTERVAL_MS = 250

/**
 * Sends due deliveries. A turn does not wait for receivers: deliveries run in the background, without a transaction.
 */
export const deliver: Poller = {
  name: 'deliver',
  async turn(context) {
    const { inFlight } = context.deliveryPool
    const failing = [...inFlight.values()].filter(isFailing).length
    const free = { all: DELIVERY_CONCURRENCY - inFlight.size, failing: FAILING_HOOK_CONCURRENCY - failing }
    const hadInFlight = inFlight.size > 0 // A delivery that ends meanwhile may unblock others.
    const taken = await claimDeliveries(context.db, free, context.clock.now())
    if (taken.length > 0) await context.settings.reloadIfChanged(await readSettingsVersion(context.db))
    for (const batch of Map.groupBy(taken, ({ webhook_id }) => webhook_id).values()) startBatch(context, batch)
    if (taken.length > 0 || !hadInFlight) return taken.length > 0
    if (inFlight.size > 0) await Promise.race([...inFlight.keys(), pause(POLL_INTERVAL_MS)])
    return true
  },
  async end({ deliveryPool }) {
    await Promise.all(deliveryPool.inFlight.keys())
  },
}

function isFailing({ failures }: ClaimedDelivery): boolean {
  return failures >= FAILING_THRESHOLD
}

/** Composes the deliveries of one hook together, and sends each for itself. */
function startBatch(context: Context, deliveries: readonly ClaimedDelivery[]): void {
  const { inFlight, databaseSemaphore } = context.deliveryPool
  const composing = databaseSemaphore(() => composeBodies(context, deliveries))
  for (const [at, delivery] of deliveries.entries()) {
    const attempt = composing
      .then((bodies) => attemptDelivery(context, delivery, bodies[at] ?? 'hidden'))
      .catch((error: unknown) => context.log.warn({ err: error, delivery_id: delivery.id }, 'a delivery failed'))
      .finally(() => inFlight.delete(attempt))
    inFlight.set(attempt, delivery)
  }
}

/** If it throws or the process ends, the delivery is claimed again after its lease. */
async function attemptDelivery(
  context: Context,
  delivery: ClaimedDelivery,
  composed: object | 'hidden' | 'owner_lost_rights',
): Promise<void> {
  const { databaseSemaphore } = context.deliveryPool
  if (composed === 'hidden') return deleteDelivery(context, delivery)
  if (composed === 'owner_lost_rights') return returnDelivery(context, delivery)
  const json = JSON.stringify(composed)
  const isForm = delivery.format === 'form'
  const body = isForm ? `payload=${encodeURIComponent(json)}` : json
  // Two hooks with one address may send different bodies for one event.
  const message = `${delivery.webhook_id}-${delivery.event_id.replaceAll('.', '-')}`
  const { own, standard } = signBody(context.secrets, delivery, { message, body }, context.clock.now())
  const headers = {
    'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    'user-agent': 'Waypost-Webhook/1',
    'x-waypost-event': delivery.event,
    'x-waypost-event-id': delivery.event_id,
    'x-waypost-delivery': String(delivery.id),
    'x-waypost-attempt': String(delivery.attempts),
    'x-waypost-signature': own,
    ...standard,
  }
  const outcome = await sendOutboundRequest(context, delivery.url, { headers, body })
  failpoint('webhook.sent')
  const masked = {
    ...headers,
    'x-waypost-signature': maskSignature(own),
    'webhook-signature': maskSignature(standard['webhook-signature']),
  }
  const request = { headers: masked, body, people: extractAccountIds(json) }
  await databaseSemaphore(() => recordOutcome(context, delivery, request, outcome))
}

/** Accounts that the body names, so that they can be erased from the log. */
function extractAccountIds(json: string): number[] {
  const named = json.matchAll(/"(?:uri":"users\/|actor":\{"id":|member":\{"id":)(\d+)/g)
  return [...new Set([...named].map(([, id]) => Number(id)))]
}
