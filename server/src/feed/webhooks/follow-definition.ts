import type { Context } from '../../platform/operation/context.ts'
import type { Work } from '../../platform/http/work.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import { HOOK_EVENTS } from '../../trackers/definition/follow-hooks.ts'
import { readEvents } from './choices.ts'
import { findWebhooksOf } from './find-webhook.ts'
import { lockSecret, newSecret } from './sign.ts'
import { insertWebhook, removeWebhook, tooMany, updateWebhook } from './store-webhook.ts'
import { judgeAddress } from './targets.ts'
import { MOST_WEBHOOKS, type Webhook } from './webhook.ts'

/**
 * Makes the hooks of a tracker what its definition lists. One whose address is there already is that one, with its secret
 * and its place; a new one gets a secret of its own.
 */
export async function followDefinition(context: Context, work: Work, tracker: LoadedTracker): Promise<void> {
  const { tx } = work
  const { webhooks } = tracker
  if (webhooks.length > MOST_WEBHOOKS) throw tooMany()
  const home = { project_id: tracker.project_id, tracker }
  const left: Webhook[] = await findWebhooksOf(tx, home)
  for (const [at, { url, events: named = HOOK_EVENTS, format = 'form' }] of webhooks.entries()) {
    const refusal = judgeAddress(context, url, `/webhooks/${at}/url`)
    const events = readEvents(named, `/webhooks/${at}/events`)
    const known = left.find((each) => each.url === url)
    if (known) {
      left.splice(left.indexOf(known), 1)
      if (known.format !== format || known.events.join() !== events.join())
        await updateWebhook(tx, known, { events, format })
      continue
    }
    if (refusal) throw refusal
    await insertWebhook(tx, home, {
      choices: { url, events, format, payload: 'original', as_user: null, ordered: false, active: true },
      secret: lockSecret(context.secrets, newSecret(undefined)),
      created_by: work.origin.viewer.account_id ?? null,
      now: context.clock.now(),
    })
  }
  for (const gone of left) await removeWebhook(tx, gone)
}
