import { idParam, readRoute } from '../../platform/http/route.ts'
import { findWebhook, showWebhook } from './find-webhook.ts'
import { versionOf, type WebhookId, WebhookRepresentation } from './webhook.ts'

export const getWebhook = readRoute({
  method: 'GET',
  path: '/webhooks/:id',
  operationId: 'getWebhook',
  summary: 'Show a webhook.',
  access: 'signed_in',
  params: { id: idParam<WebhookId>('The webhook.') },
  answer: WebhookRepresentation,
  versioned: true,
  async handle({ context, viewer, params }) {
    const webhook = await findWebhook(context, context.db, viewer, params.id)
    return { body: await showWebhook(context.db, webhook), version: versionOf(webhook) }
  },
})
