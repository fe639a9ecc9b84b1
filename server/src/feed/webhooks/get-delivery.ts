import { hiddenError } from '../../accounts/auth-errors.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { type DeliveryId, representWholeDelivery, WholeDeliveryRepresentation } from './delivery.ts'
import { cutDelivery } from './cut-delivery-log.ts'
import { findWebhook } from './find-webhook.ts'
import { findDelivery } from './enqueue-deliveries.ts'
import type { WebhookId } from './webhook.ts'

export const getDelivery = readRoute({
  method: 'GET',
  path: '/webhooks/:id/deliveries/:delivery_id',
  operationId: 'getDelivery',
  summary: 'Show a delivery with what was sent and what came back.',
  description:
    'Shows headers and bodies of request and response, without the signature. Administrators of its tracker or project. Bodies that the caller may not read are withheld.',
  access: 'signed_in',
  params: {
    id: idParam<WebhookId>('The webhook.'),
    delivery_id: idParam<DeliveryId>('The delivery.'),
  },
  answer: WholeDeliveryRepresentation,
  async handle({ context, viewer, params }) {
    const webhook = await findWebhook(context, context.db, viewer, params.id)
    const found = await findDelivery(context.db, webhook.id, params.delivery_id)
    if (!found) throw hiddenError(viewer)
    return { body: representWholeDelivery(await cutDelivery(context, viewer, webhook, found)) }
  },
})
