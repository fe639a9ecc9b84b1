import type { Context } from '../../platform/operation/context.ts'
import { failpoint } from '#failpoint'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import type { LoggedRequest } from './record-outcome.ts'
import { type RequestOutcome, sendOutboundRequest } from './send-outbound-request.ts'
import { maskSignature, signBody } from './sign.ts'

/** Signs and sends one delivery. Returns the request as the log stores it. */
export async function sendDelivery(
  context: Context,
  delivery: ClaimedDelivery,
  composed: object,
): Promise<{ request: LoggedRequest; outcome: RequestOutcome }> {
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
  return { request: { headers: masked, body, people: extractAccountIds(json) }, outcome }
}

/** Accounts that the body names, so that they can be erased from the log. */
function extractAccountIds(json: string): number[] {
  const named = json.matchAll(/"(?:uri":"users\/|actor":\{"id":|member":\{"id":)(\d+)/g)
  return [...new Set([...named].map(([, id]) => Number(id)))]
}
