import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { createWebhook } from './create-webhook.ts'
import { findHome, findHomeToChange } from './find-webhook.ts'
import { SENT_EVENTS } from './sent-events.ts'
import { checkTarget } from '../../platform/http/ssrf-guard.ts'
import { NewWebhook, WebhookWithSecret } from './webhook-schemas.ts'

export const createTrackerWebhook = writeRoute({
  method: 'POST',
  path: '/trackers/:id/webhooks',
  operationId: 'createTrackerWebhook',
  summary: 'Create a webhook for the events of a tracker. Only this response contains the secret.',
  description:
    'Sends events of a tracker to an address, signed and retried. Tracker administrators. Private addresses are refused unless the platform allows their network; a tracker has at most 20.',
  access: 'signed_in',
  action: 'webhook.create',
  notifies: true,
  params: { id: idParam<TrackerId>('The tracker.') },
  body: NewWebhook,
  answer: WebhookWithSecret,
  sends: SENT_EVENTS,
  status: 201,
  secret: true,
  versioned: true,
  dryRun: { omits: ['id', 'uri', 'resources', 'secret', 'created_on'] },
  // DNS lookups run outside the transaction, and only for a caller who may create a webhook here.
  async prepare({ context, viewer, params, body }) {
    await findHome(context, context.db, viewer, { tracker_id: params.id })
    return checkTarget(context, body.url)
  },
  async handle({ context, viewer, params, body }, work, refusal) {
    const home = await findHomeToChange(context, work.tx, viewer, { tracker_id: params.id })
    if (refusal) throw refusal
    return createWebhook(context, work, home, body)
  },
})
