import { requireAccount } from '../../accounts/auth-errors.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import type { Context } from '../../platform/operation/context.ts'
import { DEFAULT_WEBHOOK_EVENTS } from '../../trackers/definition/sync-webhooks.ts'
import { parseAsUser, parseWebhookEvents } from './parse-choices.ts'
import { type WebhookHome, loadWebhookRepresentation } from './find-webhook.ts'
import { lockSecret, newSecret } from './sign.ts'
import { insertWebhook, assertWebhookLimit, updateTrackerDefinition } from './store-webhook.ts'
import { webhookVersion } from './webhook.ts'
import { type NewWebhook } from './webhook-schemas.ts'

/** Default event types of a project's hook. */
const PROJECT_EVENTS = ['artifact.*', 'comment.*', 'tracker.*', 'project.*', 'member.*', 'svn.*']

export async function createWebhook(context: Context, work: WriteContext, home: WebhookHome, body: NewWebhook) {
  const { tx, origin } = work
  const { viewer } = origin
  const created_by = requireAccount(viewer)
  const { url, format = 'form', ordered = false, active = true } = body
  const { payload = home.tracker ? 'original' : 'event', as_user = home.tracker ? null : created_by } = body
  const events = parseWebhookEvents(body.events ?? (home.tracker ? DEFAULT_WEBHOOK_EVENTS : PROJECT_EVENTS))
  const chosen = await parseAsUser(context, viewer, home, as_user)
  const secret = newSecret(body.secret)
  await assertWebhookLimit(tx, home)

  const now = context.clock.now()
  const choices = { url, events, format, payload, as_user: chosen, ordered, active }
  const made = await insertWebhook(tx, home, { choices, secret: lockSecret(context.secrets, secret), created_by, now })
  await work.change({
    object: 'webhooks',
    made: `webhooks/${made.id}`,
    op: 'create',
    project_id: home.project_id,
    after: { ...choices, tracker_id: home.tracker?.id ?? null },
  })
  await updateTrackerDefinition(work, home, now)
  return {
    body: { ...(await loadWebhookRepresentation(tx, made)), secret },
    location: `webhooks/${made.id}`,
    version: webhookVersion(made),
  }
}
