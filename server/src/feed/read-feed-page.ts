import { FEED_START, type Cursor } from '../platform/database/events.ts'
import { sequenceEvents } from '../platform/database/sequence-events.ts'
import type { Context } from '../platform/operation/context.ts'
import { retryOnConflict } from '../platform/operation/retry-on-conflict.ts'
import { type FeedCursor, assertCursorRetained } from './feed-cursor.ts'
import { type FeedReader, scanEvents, type VisibleEvent } from './scan-events.ts'
import type { FeedEvent } from './feed-event.ts'
import { representEvents } from './represent-events.ts'

interface FeedPage {
  readonly events: readonly FeedEvent[]
  readonly next: FeedCursor
  readonly has_more: boolean
}

// A reader who may see very few events gets a short page after this time, and continues from its cursor.
const PAGE_TIMEOUT_MS = 2000

/**
 * The next visible events. `oldest`: from the first retained event. At the end of the feed it assigns positions to
 * committed events, so that clients find their own writes.
 */
export function readFeedPage(
  context: Context,
  reader: FeedReader,
  after: FeedCursor | 'oldest',
  limit: number,
): Promise<FeedPage> {
  return retryOnConflict(async () => {
    const { seen, next, has_more } = await collectVisibleEvents(context, reader, after, limit)
    const events = await representEvents(context, reader.viewer, next.epoch, seen)
    return events && { events, next, has_more }
  })
}

async function collectVisibleEvents({ db }: Context, reader: FeedReader, after: FeedCursor | 'oldest', limit: number) {
  const seen: VisibleEvent[] = []
  const deadline = Date.now() + PAGE_TIMEOUT_MS
  let isSequenced = false
  for (let from: Cursor = after === 'oldest' ? FEED_START : after; ; ) {
    const batch = await scanEvents(db, reader, from, limit - seen.length)
    const { epoch } = batch.feed
    if (after !== 'oldest') assertCursorRetained(batch.feed, { epoch: after.epoch, position: from.position })
    seen.push(...batch.seen)
    from = batch.next
    if (batch.ends === 'at_horizon' && batch.feed.is_behind && !isSequenced) {
      await sequenceEvents(db)
      isSequenced = true
      continue
    }
    if (batch.ends !== 'unknown' || Date.now() > deadline) {
      const next: FeedCursor = { epoch, position: from.position }
      return { seen, next, has_more: batch.ends !== 'at_horizon' }
    }
  }
}
