import { sql } from 'kysely'
import { Type } from 'typebox'
import { allOf, isWithinRange } from '../../platform/database/conditions.ts'
import { cutPage } from '../../platform/http/pages.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { rangeParameters, readTimeRange } from '../../platform/wire/time-range.ts'
import {
  type Delivery,
  deliveryColumns,
  DeliveryRepresentation,
  DeliveryStateSchema,
  representDelivery,
} from './delivery.ts'
import { findWebhook } from './find-webhook.ts'
import type { WebhookId } from './webhook.ts'

export const listDeliveries = readRoute({
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  operationId: 'listDeliveries',
  summary: 'List sent and pending deliveries of a webhook, newest first.',
  description:
    'Shows state, attempts and status of each delivery. Administrators of its tracker or project. Bodies are in the single delivery, cut to what the caller may read.',
  access: 'signed_in',
  params: { id: idParam<WebhookId>('The webhook.') },
  query: { state: Type.Optional(DeliveryStateSchema), ...rangeParameters },
  pages: { default: 50, min: 1, max: 100 },
  answer: Type.Array(DeliveryRepresentation),
  async handle({ context, viewer, params, query: { state, ...range }, page }) {
    const { db } = context
    const { id } = await findWebhook(context, db, viewer, params.id)
    const fits = allOf([
      sql`webhook_delivery.webhook_id = ${id}`,
      ...(state === undefined ? [] : [sql<boolean>`webhook_delivery.state = ${state}`]),
      ...isWithinRange(sql`webhook_delivery."on"`, readTimeRange(context, viewer, range)),
    ])
    const { after, limit, offset } = page
    const begin = after ? sql`webhook_delivery.id < ${after[0]}` : sql`true`
    const { rows } = await sql<(Delivery | { id: null }) & { size: number }>`
      select counted.size, page.* from (select count(*) as size from webhook_delivery where ${fits}) counted
      left join lateral (
        select ${deliveryColumns} from webhook_delivery where ${fits} and ${begin}
        order by webhook_delivery.id desc limit ${limit + 1} offset ${after ? 0 : offset}
      ) page on true
      order by page.id desc`.execute(db)
    const found = rows.filter((row) => row.id !== null)
    const { rows: shown, next, placeAt } = cutPage(found, limit, (row) => [row.id])
    return { body: shown.map(representDelivery), size: rows[0]?.size ?? 0, next, placeAt }
  },
})
