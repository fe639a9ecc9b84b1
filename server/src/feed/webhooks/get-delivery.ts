import { hiddenFrom } from '../../accounts/refusals.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { type DeliveryId, representWholeDelivery, WholeDeliveryRepresentation } from './delivery.ts'
import { findWebhook, readsForOthers } from './find-webhook.ts'
import { findDelivery } from './order-deliveries.ts'
import type { WebhookId } from './webhook.ts'

export const getDelivery = readRoute({
  method: 'GET',
  path: '/webhooks/:id/deliveries/:delivery_id',
  operationId: 'getDelivery',
  summary: 'Show a delivery with what was sent and what came back.',
  access: 'signed_in',
  params: {
    id: idParam<WebhookId>('The webhook.'),
    delivery_id: idParam<DeliveryId>('The delivery.'),
  },
  answer: WholeDeliveryRepresentation,
  async handle({ context, viewer, params }) {
    const webhook = await findWebhook(context, context.db, viewer, params.id)
    const found = await findDelivery(context.db, webhook.id, params.delivery_id)
    if (!found) throw hiddenFrom(viewer)
    // A receiver may say it all again in his answer.
    const delivery = readsForOthers(webhook, viewer) ? { ...found, request_body: null, answer_body: null } : found
    return { body: representWholeDelivery(delivery) }
  },
})
