import { Type } from 'typebox'
import { type Cursor, isCursorAfter, readFeedState } from '../../platform/database/events.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { assertCursorRetained, parseFeedCursor, resolveFeedCursor, resolveLastEvent } from '../feed-cursor.ts'
import { type FeedReader, scanEvents, type VisibleEvent } from '../scan-events.ts'
import { findWebhookToChange } from './find-webhook.ts'
import { enqueueDeliveries } from './enqueue-deliveries.ts'
import type { WebhookId } from './webhook.ts'
import { findWebhookReader, ownerLostRights } from './webhook-viewer.ts'

const MAX_REPLAYED_EVENTS = 10_000
const EVENT_BATCH_SIZE = 1000
const FeedCursorSchema = Type.String({ maxLength: 70, description: 'A cursor of the feed.' })

export const replayEvents = writeRoute({
  method: 'POST',
  path: '/webhooks/:id/replay',
  operationId: 'replayEvents',
  summary: 'Deliver events again, from a cursor of the feed on, at most 10,000.',
  description:
    'Repeats all events since a cursor, for example after an outage of the receiver. Administrators of its tracker or project. A cursor that is older than the kept events is 410.',
  access: 'signed_in',
  action: 'webhook.replay',
  params: { id: idParam<WebhookId>('The webhook.') },
  body: Type.Object(
    {
      after: FeedCursorSchema,
      until: Type.Optional(
        Type.String({ maxLength: 70, description: 'The last event to deliver; absent: all until now.' }),
      ),
    },
    { title: 'Replay' },
  ),
  answer: Type.Object(
    { events: Type.Integer({ description: 'Number of events to deliver again.' }) },
    { title: 'Replayed' },
  ),
  status: 202,
  async handle({ context, viewer, params, body }, work) {
    const { tx } = work
    const { webhook } = await findWebhookToChange(context, tx, viewer, params.id)
    const [first, last] = [parseFeedCursor(body.after, 'after'), body.until && parseFeedCursor(body.until, 'until')]
    const after = await resolveFeedCursor(tx, first)
    const until = last ? await resolveLastEvent(tx, last) : undefined
    const state = await readFeedState(tx)
    assertCursorRetained(state, after)
    if (until && until.epoch !== state.epoch) throw new ApiError('cursor_expired')
    // Events after the hook's own cursor are planned anyway.
    const own: Cursor = { position: webhook.place_position }
    const end = until && isCursorAfter(own, until) ? until : own
    const reader = await findWebhookReader(context, tx, webhook)
    if (reader === 'owner_lost_rights') throw ownerLostRights()
    const events = reader ? await readUntil(tx, reader, after, end) : []
    const { epoch } = state
    await enqueueDeliveries(tx, webhook.id, 'replayed', { events, epoch, now: context.clock.now() })
    await work.change({
      object: `webhooks/${webhook.id}`,
      op: 'update',
      project_id: webhook.project_id,
      after: { replayed: { ...body, events: events.length } },
    })
    return { body: { events: events.length } }
  },
})

async function readUntil(tx: Tx, reader: FeedReader, after: Cursor, end: Cursor): Promise<VisibleEvent[]> {
  const found: VisibleEvent[] = []
  for (let from = after; ; ) {
    const { seen, next, ends } = await scanEvents(tx, reader, from, EVENT_BATCH_SIZE)
    found.push(...seen.filter((event) => !isCursorAfter(event, end)))
    if (found.length > MAX_REPLAYED_EVENTS)
      throw new ApiError('rule_violated', { cause: 'too_many', allowed: { maximum: MAX_REPLAYED_EVENTS } })
    if (ends === 'at_horizon' || !isCursorAfter(end, next)) return found
    from = next
  }
}
