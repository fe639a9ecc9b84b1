import { setTimeout as pause } from 'node:timers/promises'
import type { Pump } from '../../platform/jobs/pump.ts'
import type { Context } from '../../platform/operation/context.ts'
import { readSettingsVersion } from '../../platform/operation/settings.ts'
import { failpoint } from '#failpoint'
import { composeBody } from './compose-body.ts'
import { createDesk, type Desk } from './desk.ts'
import { forgetDelivery, recordOutcome } from './record-outcome.ts'
import { send } from './send.ts'
import { signBody } from './sign.ts'
import { PATIENCE_WITH_FAILURES, takeDue, type TakenDelivery } from './take-due.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly courier: Courier
  }
}

/** What this process is delivering just now. */
export interface Courier {
  readonly flights: Map<Promise<void>, TakenDelivery>
  /** Where they use the database, whose connections others need too. */
  readonly desk: Desk
}

export function createCourier(): Courier {
  return { flights: new Map(), desk: createDesk(AT_THE_DESK) }
}

const AT_ONCE = 32
const AT_THE_DESK = 3
const AT_ONCE_TO_FAILING = 16
const BETWEEN_LOOKS = 250

/** Delivers what is due. A turn waits for no receiver: what it begins goes on by itself, without a transaction. */
export const deliver: Pump = {
  name: 'deliver',
  async turn(context) {
    const { flights } = context.courier
    const failing = [...flights.values()].filter(isFailing).length
    const free = { all: AT_ONCE - flights.size, failing: AT_ONCE_TO_FAILING - failing }
    const wereFlying = flights.size > 0 // One that ends meanwhile may be what others wait for.
    const taken = await takeDue(context.db, free, context.clock.now())
    if (taken.length > 0) await context.settings.seen(await readSettingsVersion(context.db))
    for (const delivery of taken) begin(context, delivery)
    if (taken.length > 0 || !wereFlying) return taken.length > 0
    if (flights.size > 0) await Promise.race([...flights.keys(), pause(BETWEEN_LOOKS)])
    return true
  },
  async end({ courier }) {
    await Promise.all(courier.flights.keys())
  },
}

function isFailing({ failures }: TakenDelivery): boolean {
  return failures >= PATIENCE_WITH_FAILURES
}

function begin(context: Context, delivery: TakenDelivery): void {
  const { flights } = context.courier
  const flight = make(context, delivery)
    .catch((error: unknown) => context.log.warn({ err: error, delivery_id: delivery.id }, 'a delivery failed'))
    .finally(() => flights.delete(flight))
  flights.set(flight, delivery)
}

/** If it throws, or the process ends, the delivery is taken again when its lease is over. */
async function make(context: Context, delivery: TakenDelivery): Promise<void> {
  const { desk } = context.courier
  const composed = await desk(() => composeBody(context, delivery))
  if (composed === 'hidden') return forgetDelivery(context, delivery)
  const json = JSON.stringify(composed)
  const isForm = delivery.format === 'form'
  const body = isForm ? `payload=${encodeURIComponent(json)}` : json
  const headers = {
    'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    'user-agent': 'Waypost-Webhook/1',
    'x-waypost-event': delivery.event,
    'x-waypost-event-id': delivery.event_id,
    'x-waypost-delivery': String(delivery.id),
    'x-waypost-attempt': String(delivery.attempts),
    'x-waypost-signature': signBody(context.secrets, delivery, body, context.clock.now()),
  }
  const outcome = await send(context, delivery.url, { headers, body })
  failpoint('webhook.sent')
  const masked = { ...headers, 'x-waypost-signature': headers['x-waypost-signature'].replaceAll(/v1=\w+/g, 'v1=…') }
  const request = { headers: masked, body, people: peopleIn(json) }
  await desk(() => recordOutcome(context, delivery, request, outcome))
}

/** Whoever is named in what was sent, so that he can be erased from the log. */
function peopleIn(json: string): number[] {
  const named = json.matchAll(/"(?:uri":"users\/|actor":\{"id":|member":\{"id":)(\d+)/g)
  return [...new Set([...named].map(([, id]) => Number(id)))]
}
