import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { createWebhook } from './create-webhook.ts'
import { findHomeToChange } from './find-webhook.ts'
import { judgeTarget } from './targets.ts'
import { NewWebhook, WebhookWithSecret } from './webhook.ts'

export const createTrackerWebhook = writeRoute({
  method: 'POST',
  path: '/trackers/:id/webhooks',
  operationId: 'createTrackerWebhook',
  summary: 'Let an address be told what happens in a tracker. The secret is shown once, here.',
  access: 'signed_in',
  action: 'webhook.create',
  params: { id: idParam<TrackerId>('The tracker.') },
  body: NewWebhook,
  answer: WebhookWithSecret,
  status: 201,
  secret: true,
  versioned: true,
  givenByWrite: ['id', 'uri', 'secret', 'created_on'],
  // Names are asked for outside of the transaction; who may not make a hook is not told what became of it.
  prepare: ({ context, body }) => judgeTarget(context, body.url),
  async handle({ context, viewer, params, body }, work, refusal) {
    const home = await findHomeToChange(context, work.tx, viewer, { tracker_id: params.id })
    if (refusal) throw refusal
    return createWebhook(context, work, home, body)
  },
})
