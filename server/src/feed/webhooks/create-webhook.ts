import { requireAccount } from '../../accounts/refusals.ts'
import type { Work } from '../../platform/http/work.ts'
import type { Context } from '../../platform/operation/context.ts'
import { HOOK_EVENTS } from '../../trackers/definition/follow-hooks.ts'
import { readEvents, readEyes } from './choices.ts'
import { type Home, showWebhook } from './find-webhook.ts'
import { lockSecret, newSecret } from './sign.ts'
import { insertWebhook, requireRoom, tellDefinition } from './store-webhook.ts'
import { type NewWebhook, versionOf } from './webhook.ts'

/** What a project's hook is told where it does not say what it wants. */
const PROJECT_EVENTS = ['artifact.*', 'comment.*', 'tracker.*', 'project.*', 'member.*', 'svn.*']

/** A new hook of a tracker or project, for one of its administrators. */
export async function createWebhook(context: Context, work: Work, home: Home, body: NewWebhook) {
  const { tx, origin } = work
  const { viewer } = origin
  const created_by = requireAccount(viewer)
  const { url, format = 'form', ordered = false, active = true } = body
  const { payload = home.tracker ? 'original' : 'event', as_user = home.tracker ? null : created_by } = body
  const events = readEvents(body.events ?? (home.tracker ? HOOK_EVENTS : PROJECT_EVENTS))
  const eyes = await readEyes(context, viewer, home, as_user)
  const secret = newSecret(body.secret)
  await requireRoom(tx, home)

  const now = context.clock.now()
  const choices = { url, events, format, payload, as_user: eyes, ordered, active }
  const made = await insertWebhook(tx, home, { choices, secret: lockSecret(context.secrets, secret), created_by, now })
  await work.change({
    object: 'webhooks',
    made: `webhooks/${made.id}`,
    op: 'create',
    project_id: home.project_id,
    after: { ...choices, tracker_id: home.tracker?.id ?? null },
  })
  await tellDefinition(work, home, now)
  return {
    body: { ...(await showWebhook(tx, made)), secret },
    location: `webhooks/${made.id}`,
    version: versionOf(made),
  }
}
