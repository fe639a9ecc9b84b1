import { idParam, readRoute } from '../../platform/http/route.ts'
import { findWebhook, loadWebhookRepresentation } from './find-webhook.ts'
import { webhookVersion, type WebhookId } from './webhook.ts'
import { WebhookRepresentation } from './webhook-schemas.ts'

export const getWebhook = readRoute({
  method: 'GET',
  path: '/webhooks/:id',
  operationId: 'getWebhook',
  summary: 'Show a webhook.',
  description:
    'Shows address, events, state and position, without the secret. Administrators of its tracker or project. Others get 403 or 404.',
  access: 'signed_in',
  params: { id: idParam<WebhookId>('The webhook.') },
  answer: WebhookRepresentation,
  versioned: true,
  async handle({ context, viewer, params }) {
    const webhook = await findWebhook(context, context.db, viewer, params.id)
    return { body: await loadWebhookRepresentation(context.db, webhook), version: webhookVersion(webhook) }
  },
})
