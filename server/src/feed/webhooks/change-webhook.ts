import { requireAccount } from '../../accounts/auth-errors.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { parseAsUser, parseWebhookEvents } from './parse-choices.ts'
import { findWebhook, findWebhookToChange, loadWebhookRepresentation } from './find-webhook.ts'
import { type WebhookChoices, updateTrackerDefinition, updateWebhook } from './store-webhook.ts'
import { checkTarget } from '../../platform/http/ssrf-guard.ts'
import { webhookVersion, type Webhook, type WebhookId } from './webhook.ts'
import { WebhookChange, WebhookRepresentation } from './webhook-schemas.ts'
import { assertMayUseViewer, findWebhookReader, ownerLostRights } from './webhook-viewer.ts'

export const changeWebhook = writeRoute({
  method: 'PATCH',
  path: '/webhooks/:id',
  operationId: 'changeWebhook',
  summary: 'Change a webhook, switch it off, or resume it.',
  description:
    'Changes address, events, format or state; `active: true` resumes a paused webhook where it stopped. Administrators of its tracker or project. A stale `If-Match` is 412; private addresses are refused.',
  access: 'signed_in',
  action: 'webhook.update',
  notifies: true,
  params: { id: idParam<WebhookId>('The webhook.') },
  body: WebhookChange,
  answer: WebhookRepresentation,
  versioned: true,
  // DNS lookups run outside the transaction, and only for a caller who may change this webhook.
  async prepare({ context, viewer, params, body }) {
    if (body.url === undefined) return undefined
    await findWebhook(context, context.db, viewer, params.id)
    return checkTarget(context, body.url)
  },
  async handle({ context, viewer, params, body, headers }, work, refusal) {
    const { tx } = work
    const { webhook, home } = await findWebhookToChange(context, tx, viewer, params.id)
    requireVersion(headers['if-match'], webhookVersion(webhook))
    if (refusal) throw refusal
    const { events, as_user, ...plain } = body
    const isNewUrl = body.url !== undefined && body.url !== webhook.url
    // Otherwise another account's permissions would serve an address of the caller's choice.
    if (isNewUrl && as_user === undefined) assertMayUseViewer(webhook.as_user, viewer)
    const choices: Partial<WebhookChoices> = {
      ...plain,
      ...(events && { events: parseWebhookEvents(events) }),
      ...(as_user !== undefined && { as_user: await parseAsUser(context, viewer, home, as_user) }),
    }
    const isTakenOver = isNewUrl || as_user !== undefined
    const changed = await updateWebhook(tx, webhook, {
      ...choices,
      ...(isTakenOver && { owner_id: requireAccount(viewer) }),
    })
    if (body.active === true && (await findWebhookReader(context, tx, changed)) === 'owner_lost_rights')
      throw ownerLostRights()
    await work.change({
      object: `webhooks/${webhook.id}`,
      op: 'update',
      project_id: webhook.project_id,
      before: pickChoices(webhook),
      after: pickChoices(changed),
    })
    await updateTrackerDefinition(work, home, context.clock.now())
    return { body: await loadWebhookRepresentation(tx, changed), version: webhookVersion(changed) }
  },
})

function pickChoices({ url, events, format, payload, as_user, ordered, active }: Webhook): WebhookChoices {
  return { url, events, format, payload, as_user, ordered, active }
}
