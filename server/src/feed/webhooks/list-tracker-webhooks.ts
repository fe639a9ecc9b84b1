import { Type } from 'typebox'
import { cutPage } from '../../platform/http/pages.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { findHome, findWebhooksOf, representWebhooks } from './find-webhook.ts'
import { WebhookRepresentation } from './webhook-schemas.ts'

export const listTrackerWebhooks = readRoute({
  method: 'GET',
  path: '/trackers/:id/webhooks',
  operationId: 'listTrackerWebhooks',
  summary: 'List the webhooks of a tracker.',
  description: 'Lists webhooks with state and position, without secrets. Tracker administrators. Others get 403.',
  access: 'signed_in',
  params: { id: idParam<TrackerId>('The tracker.') },
  pages: { default: 50, min: 1, max: 100 },
  answer: Type.Array(WebhookRepresentation),
  async handle({ context, viewer, params, page }) {
    const home = await findHome(context, context.db, viewer, { tracker_id: params.id })
    const all = await findWebhooksOf(context.db, home)
    const { after, offset, limit } = page
    const rest = after ? all.filter(({ id }) => id > Number(after[0])) : all.slice(offset)
    const { rows, next, placeAt } = cutPage(rest, limit, ({ id }) => [id])
    return { body: await representWebhooks(context.db, rows), size: all.length, next, placeAt }
  },
})
