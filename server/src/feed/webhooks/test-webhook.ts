import { idParam, writeRoute } from '../../platform/http/route.ts'
import { DeliveryRepresentation, deliveryUri, representDelivery } from './delivery.ts'
import { findWebhookToChange } from './find-webhook.ts'
import { enqueuePing } from './enqueue-deliveries.ts'
import type { WebhookId } from './webhook.ts'

export const testWebhook = writeRoute({
  method: 'POST',
  path: '/webhooks/:id/test',
  operationId: 'testWebhook',
  summary: 'Send a `ping`, whether or not the webhook is switched on.',
  description:
    'Checks that the receiver is reachable and verifies the signature. Administrators of its tracker or project. The outcome is in the log of deliveries, not in this answer.',
  access: 'signed_in',
  action: 'webhook.test',
  params: { id: idParam<WebhookId>('The webhook.') },
  answer: DeliveryRepresentation,
  status: 202,
  dryRun: { omits: ['id', 'uri', 'event_id'] },
  async handle({ context, viewer, params }, work) {
    const { webhook } = await findWebhookToChange(context, work.tx, viewer, params.id)
    const { id, project_id } = webhook
    const ping = await enqueuePing(work.tx, id, context.clock.now())
    const made = deliveryUri(id, ping.id)
    await work.change({ object: `webhooks/${id}/deliveries`, made, op: 'create', project_id, after: { event: 'ping' } })
    return { body: representDelivery(ping), location: made }
  },
})
