import { BEGINNING, type Cursor } from '../platform/database/events.ts'
import type { Context } from '../platform/operation/context.ts'
import { untilUnchanged } from '../platform/operation/until-unchanged.ts'
import { type Place, requireKept } from './place.ts'
import { type Reader, readStretch, type SeenEvent } from './read-stretch.ts'
import { type FeedEvent, representEvents } from './represent-events.ts'

interface FeedPage {
  readonly events: readonly FeedEvent[]
  readonly next: Place
  readonly has_more: boolean
}

// Where a reader may know of hardly anything, he gets a page that is not full, and goes on from there.
const PATIENCE = 2000

/** The next events that the reader may know of. `oldest`: from the first that is kept. */
export function readPage(context: Context, reader: Reader, after: Place | 'oldest', limit: number): Promise<FeedPage> {
  return untilUnchanged(async () => {
    const { seen, next, has_more } = await collect(context, reader, after, limit)
    const events = await representEvents(context, reader.viewer, next.epoch, seen)
    return events && { events, next, has_more }
  })
}

async function collect({ db }: Context, reader: Reader, after: Place | 'oldest', limit: number) {
  const seen: SeenEvent[] = []
  const deadline = Date.now() + PATIENCE
  for (let from: Cursor = after === 'oldest' ? BEGINNING : after; ; ) {
    const stretch = await readStretch(db, reader, from, limit - seen.length)
    const { epoch } = stretch.feed
    if (after !== 'oldest') requireKept(stretch.feed, { epoch: after.epoch, xid: from.xid, id: from.id })
    seen.push(...stretch.seen)
    from = stretch.next
    if (stretch.ends !== 'unknown' || Date.now() > deadline) {
      const next: Place = { epoch, xid: from.xid, id: from.id }
      return { seen, next, has_more: stretch.ends !== 'at_horizon' }
    }
  }
}
