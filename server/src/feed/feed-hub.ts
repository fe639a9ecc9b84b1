import { setTimeout as pause } from 'node:timers/promises'
import type { StreamSession } from '../accounts/sign-in/revalidate-credentials.ts'
import { isCursorAfter, readFeedEnd } from '../platform/database/events.ts'
import type { EventStream, StreamFrame } from '../platform/http/event-stream.ts'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { type FeedCursor, formatFeedCursor } from './feed-cursor.ts'
import { readFeedPage } from './read-feed-page.ts'
import type { FeedReader } from './scan-events.ts'
import { closeExpiredStreams } from './close-expired-streams.ts'

declare module '../platform/operation/context.ts' {
  interface Context {
    readonly feed: FeedHub
  }
}

/** Polls the feed once for all subscribers of this process. */
export interface FeedHub {
  /** Sends all events after the cursor for as long as the stream is open; returns the function that unsubscribes. */
  subscribe(context: Context, stream: EventStream, subscriber: FeedSubscription): () => void
}

interface FeedSubscription {
  readonly reader: FeedReader
  readonly guest: StreamSession
  readonly place: FeedCursor
}

interface FeedSubscriber extends FeedSubscription {
  readonly stream: EventStream
  reader: FeedReader
  guest: StreamSession
  place: FeedCursor
  /** When the last cursor was sent to this subscriber. */
  lastSentAt: number
}

const POLL_INTERVAL_MS = 40
const CREDENTIAL_CHECK_INTERVAL_MS = 500
const FAILURE_BACKOFF_MS = 1000
const READ_CONCURRENCY = 3 // Leaves the other connections of the shared pool free.
const PAGE_SIZE = 500

export function createFeedHub(): FeedHub {
  const subscribers = new Set<FeedSubscriber>()
  let isRunning = false // A second loop would send every event twice.
  const run = async (context: Context) => {
    if (isRunning) return
    isRunning = true
    for (let checked = 0; subscribers.size > 0; ) checked = await poll(context, subscribers, checked)
    isRunning = false
  }
  return {
    subscribe(context, stream, subscription) {
      const subscriber = { ...subscription, stream, lastSentAt: Date.now() }
      subscribers.add(subscriber)
      void run(context)
      return () => subscribers.delete(subscriber)
    },
  }
}

/**
 * Checks for new events and reads them for every subscriber with room in its buffer. Subscribers hold no connection,
 * and nothing is buffered for slow ones: their events stay in the database. Takes and returns the time of the last
 * check of all credentials.
 */
async function poll(context: Context, subscribers: ReadonlySet<FeedSubscriber>, checked: number): Promise<number> {
  const now = Date.now()
  const isDue = now - checked >= CREDENTIAL_CHECK_INTERVAL_MS
  try {
    const state = await readFeedEnd(context.db)
    const awake = [...subscribers].filter(({ stream, place }) => stream.hasRoom && isCursorAfter(state.horizon, place))
    const pages = await readPages(context, awake)
    // After the events are read, so that a stream whose credentials have expired does not get them.
    await closeExpiredStreams(context, isDue ? [...subscribers] : awake, replaceSession)
    for (const [subscriber, page] of pages) sendPage(subscriber, page)
    for (const subscriber of subscribers) sendCursorHeartbeat(subscriber)
    const isBehind = [...pages.values()].some(({ has_more }) => has_more)
    await pause(isBehind ? 0 : POLL_INTERVAL_MS)
  } catch (error) {
    context.log.warn({ err: error }, 'the feed could not be read')
    await pause(FAILURE_BACKOFF_MS)
  }
  return isDue ? now : checked
}

interface PendingPage {
  readonly guest: StreamSession
  readonly place: FeedCursor
  readonly frames: readonly StreamFrame[]
  readonly has_more: boolean
}

async function readPages(
  context: Context,
  subscribers: readonly FeedSubscriber[],
): Promise<Map<FeedSubscriber, PendingPage>> {
  const pages = new Map<FeedSubscriber, PendingPage>()
  const waiting = subscribers.values()
  const readNext = async () => {
    for (const subscriber of waiting) {
      const { guest, reader, place, stream } = subscriber
      try {
        const { events, next, has_more } = await readFeedPage(context, reader, place, PAGE_SIZE)
        const frames = events.map((event) => ({ id: event.id, event: event.type, data: event }))
        pages.set(subscriber, { guest, place: next, frames, has_more })
      } catch (error) {
        // The client reconnects with its last id and gets the exact error then.
        if (error instanceof ApiError && error.reason === 'cursor_expired') stream.end('unavailable')
        else context.log.warn({ err: error }, 'the feed could not be read for a subscriber')
      }
    }
  }
  await Promise.all(Array.from({ length: READ_CONCURRENCY }, readNext))
  return pages
}

/** The next page is read with the permissions of the new session. */
function replaceSession(subscriber: FeedSubscriber, guest: StreamSession): void {
  subscriber.guest = guest
  subscriber.reader = { ...subscriber.reader, viewer: guest.viewer }
}

/** Drops the page if the session has changed since it was read; it is read again. */
function sendPage(subscriber: FeedSubscriber, { guest, place, frames }: PendingPage): void {
  if (subscriber.guest !== guest) return
  subscriber.stream.send(frames)
  subscriber.place = place
  if (frames.length > 0) subscriber.lastSentAt = Date.now()
}

/** Without a fresh cursor, an idle subscriber would fall behind the retained events although it has missed none. */
function sendCursorHeartbeat(subscriber: FeedSubscriber): void {
  const { stream } = subscriber
  if (!stream.hasRoom || Date.now() - subscriber.lastSentAt < stream.limits.cursorIntervalMs) return
  stream.send([{ id: formatFeedCursor(subscriber.place), event: 'place' }])
  subscriber.lastSentAt = Date.now()
}
