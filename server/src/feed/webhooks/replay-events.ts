import { Type } from 'typebox'
import { type Cursor, isAfter, readFeedState } from '../../platform/database/events.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { readPlace, requireKept } from '../place.ts'
import { type Reader, readStretch, type SeenEvent } from '../read-stretch.ts'
import { readerOf } from './eyes.ts'
import { findWebhookToChange } from './find-webhook.ts'
import { orderDeliveries } from './order-deliveries.ts'
import type { WebhookId } from './webhook.ts'

const MOST = 10_000
const AT_ONCE = 1000
const Place = Type.String({ maxLength: 70, description: 'A place in the feed.' })

export const replayEvents = writeRoute({
  method: 'POST',
  path: '/webhooks/:id/replay',
  operationId: 'replayEvents',
  summary: 'Deliver again what happened after a place in the feed, at most 10,000 events.',
  access: 'signed_in',
  action: 'webhook.replay',
  params: { id: idParam<WebhookId>('The webhook.') },
  body: Type.Object(
    {
      after: Place,
      until: Type.Optional(
        Type.String({ maxLength: 70, description: 'The last that is meant; absent: all until now.' }),
      ),
    },
    { title: 'Replay' },
  ),
  answer: Type.Object(
    { events: Type.Integer({ description: 'How many are delivered again.' }) },
    { title: 'Replayed' },
  ),
  status: 202,
  async handle({ context, viewer, params, body }, work) {
    const { tx } = work
    const { webhook } = await findWebhookToChange(context, tx, viewer, params.id)
    const [after, until] = [readPlace(body.after, 'after'), body.until && readPlace(body.until, 'until')]
    const state = await readFeedState(tx)
    requireKept(state, after)
    if (until && until.epoch !== state.epoch) throw new ApiError('cursor_expired')
    // What lies behind its place is planned anyway.
    const own: Cursor = { xid: webhook.place_xid, id: webhook.place_id }
    const end = until && isAfter(own, until) ? until : own
    const reader = await readerOf(context, webhook)
    const events = reader ? await readUntil(tx, reader, after, end) : []
    const { epoch } = state
    await orderDeliveries(tx, webhook.id, 'replayed', { events, epoch, now: context.clock.now() })
    await work.change({
      object: `webhooks/${webhook.id}`,
      op: 'update',
      project_id: webhook.project_id,
      after: { replayed: { ...body, events: events.length } },
    })
    return { body: { events: events.length } }
  },
})

async function readUntil(tx: Tx, reader: Reader, after: Cursor, end: Cursor): Promise<SeenEvent[]> {
  const found: SeenEvent[] = []
  for (let from = after; ; ) {
    const { seen, next, ends } = await readStretch(tx, reader, from, AT_ONCE)
    found.push(...seen.filter((event) => !isAfter(event, end)))
    if (found.length > MOST) throw new ApiError('rule_violated', { cause: 'too_many', allowed: { maximum: MOST } })
    if (ends === 'at_horizon' || !isAfter(end, next)) return found
    from = next
  }
}
