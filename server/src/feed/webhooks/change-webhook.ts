import { refusedTo } from '../../accounts/refusals.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { readEvents, readEyes } from './choices.ts'
import { findWebhookToChange, readsForOthers, showWebhook } from './find-webhook.ts'
import { type Choices, tellDefinition, updateWebhook } from './store-webhook.ts'
import { judgeTarget } from './targets.ts'
import { versionOf, type Webhook, WebhookChange, type WebhookId, WebhookRepresentation } from './webhook.ts'

export const changeWebhook = writeRoute({
  method: 'PATCH',
  path: '/webhooks/:id',
  operationId: 'changeWebhook',
  summary: 'Change a webhook, switch it off, or let it go on.',
  access: 'signed_in',
  action: 'webhook.update',
  params: { id: idParam<WebhookId>('The webhook.') },
  body: WebhookChange,
  answer: WebhookRepresentation,
  versioned: true,
  prepare: async ({ context, body }) => (body.url === undefined ? undefined : judgeTarget(context, body.url)),
  async handle({ context, viewer, params, body, headers }, work, refusal) {
    const { tx } = work
    const { webhook, home } = await findWebhookToChange(context, tx, viewer, params.id)
    requireVersion(headers['if-match'], versionOf(webhook))
    if (refusal) throw refusal
    const { events, as_user, ...plain } = body
    // Else he would get what somebody else may read.
    if (body.url !== undefined && body.url !== webhook.url && readsForOthers(webhook, viewer) && as_user === undefined)
      throw refusedTo(viewer, 'site_admin', 'owner')
    const choices: Partial<Choices> = {
      ...plain,
      ...(events && { events: readEvents(events) }),
      ...(as_user !== undefined &&
        as_user !== webhook.as_user && { as_user: await readEyes(context, viewer, home, as_user) }),
    }
    const changed = await updateWebhook(tx, webhook, choices)
    await work.change({
      object: `webhooks/${webhook.id}`,
      op: 'update',
      project_id: webhook.project_id,
      before: choicesOf(webhook),
      after: choicesOf(changed),
    })
    await tellDefinition(work, home, context.clock.now())
    return { body: await showWebhook(tx, changed), version: versionOf(changed) }
  },
})

function choicesOf({ url, events, format, payload, as_user, ordered, active }: Webhook): Choices {
  return { url, events, format, payload, as_user, ordered, active }
}
