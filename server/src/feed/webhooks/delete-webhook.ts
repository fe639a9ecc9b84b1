import { idParam, writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { findWebhookToChange } from './find-webhook.ts'
import { removeWebhook, updateTrackerDefinition } from './store-webhook.ts'
import { webhookVersion, type WebhookId } from './webhook.ts'

export const deleteWebhook = writeRoute({
  method: 'DELETE',
  path: '/webhooks/:id',
  operationId: 'deleteWebhook',
  summary: 'Remove a webhook, with its log and with what it has not sent yet.',
  description: 'Stops deliveries for good. Administrators of its tracker or project. A stale `If-Match` is 412.',
  access: 'signed_in',
  action: 'webhook.delete',
  notifies: true,
  params: { id: idParam<WebhookId>('The webhook.') },
  async handle({ context, viewer, params, headers }, work) {
    const { webhook, home } = await findWebhookToChange(context, work.tx, viewer, params.id)
    requireVersion(headers['if-match'], webhookVersion(webhook))
    await removeWebhook(work.tx, webhook)
    const { url, tracker_id, project_id } = webhook
    await work.change({ object: `webhooks/${webhook.id}`, op: 'delete', project_id, before: { url, tracker_id } })
    await updateTrackerDefinition(work, home, context.clock.now())
    return {}
  },
})
