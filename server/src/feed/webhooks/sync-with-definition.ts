import { requireUnlimited } from '../../accounts/access-keys/limited-keys.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import { DEFAULT_WEBHOOK_EVENTS } from '../../trackers/definition/sync-webhooks.ts'
import { parseWebhookEvents } from './parse-choices.ts'
import { findWebhooksOf } from './find-webhook.ts'
import { lockSecret, newSecret } from './sign.ts'
import { insertWebhook, removeWebhook, tooManyWebhooks, updateWebhook } from './store-webhook.ts'
import { checkTargetWithoutDns } from '../../platform/http/ssrf-guard.ts'
import { MAX_WEBHOOKS, type Webhook } from './webhook.ts'

/**
 * Makes the hooks of a tracker match its definition. A hook with a listed address stays, with its secret and cursor; a
 * new one gets a secret of its own.
 */
export async function syncWebhooksWithDefinition(
  context: Context,
  work: WriteContext,
  tracker: LoadedTracker,
): Promise<void> {
  const { tx } = work
  const { webhooks } = tracker
  if (webhooks.length > MAX_WEBHOOKS) throw tooManyWebhooks()
  const home = { project_id: tracker.project_id, tracker }
  const left: Webhook[] = await findWebhooksOf(tx, home)
  for (const [at, { url, events: named = DEFAULT_WEBHOOK_EVENTS, format = 'form' }] of webhooks.entries()) {
    const refusal = checkTargetWithoutDns(context, url, `/webhooks/${at}/url`)
    const events = parseWebhookEvents(named, `/webhooks/${at}/events`)
    const known = left.find((each) => each.url === url)
    if (known) {
      left.splice(left.indexOf(known), 1)
      if (known.format !== format || known.events.join() !== events.join())
        await updateWebhook(tx, known, { events, format })
      continue
    }
    if (refusal) throw refusal
    requireUnlimited(work.origin.viewer)
    await insertWebhook(tx, home, {
      choices: { url, events, format, payload: 'original', as_user: null, ordered: false, active: true },
      secret: lockSecret(context.secrets, newSecret(undefined)),
      created_by: work.origin.viewer.account_id ?? null,
      now: context.clock.now(),
    })
  }
  for (const gone of left) await removeWebhook(tx, gone)
}
