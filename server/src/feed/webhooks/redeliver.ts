import { hiddenError } from '../../accounts/auth-errors.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { type DeliveryId, DeliveryRepresentation, deliveryUri, representDelivery } from './delivery.ts'
import { findWebhookToChange } from './find-webhook.ts'
import { findDelivery, enqueueRedelivery } from './enqueue-deliveries.ts'
import type { WebhookId } from './webhook.ts'

export const redeliver = writeRoute({
  method: 'POST',
  path: '/webhooks/:id/deliveries/:delivery_id/redeliver',
  operationId: 'redeliver',
  summary: 'Deliver an event once more, by its old id, whether or not the webhook is switched on.',
  description:
    'Repeats one delivery, for example after a fault of the receiver. Administrators of its tracker or project. Deliveries of other webhooks are 404.',
  access: 'signed_in',
  action: 'webhook.redeliver',
  params: {
    id: idParam<WebhookId>('The webhook.'),
    delivery_id: idParam<DeliveryId>('The delivery.'),
  },
  answer: DeliveryRepresentation,
  status: 202,
  dryRun: { omits: ['id', 'uri'] },
  async handle({ context, viewer, params }, work) {
    const { webhook } = await findWebhookToChange(context, work.tx, viewer, params.id)
    const old = await findDelivery(work.tx, webhook.id, params.delivery_id)
    if (!old) throw hiddenError(viewer)
    const delivery = await enqueueRedelivery(work.tx, old, context.clock.now())
    const made = deliveryUri(webhook.id, delivery.id)
    await work.change({
      object: `webhooks/${webhook.id}/deliveries`,
      made,
      op: 'create',
      project_id: webhook.project_id,
      after: { event: old.event, event_id: old.event_id },
    })
    return { body: representDelivery(delivery), location: made }
  },
})
