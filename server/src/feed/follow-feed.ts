import { setTimeout as pause } from 'node:timers/promises'
import type { Guest } from '../accounts/sign-in/still-signed-in.ts'
import { type FeedState, isAfter, readFeedState } from '../platform/database/events.ts'
import type { EventStream, Frame } from '../platform/http/event-stream.ts'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/words/errors.ts'
import { type Place, writePlace } from './place.ts'
import { readPage } from './read-page.ts'
import type { Reader } from './read-stretch.ts'
import { turnOut } from './turn-out.ts'

declare module '../platform/operation/context.ts' {
  interface Context {
    readonly feed: FeedWatch
  }
}

/** One look at the feed for all who follow it in this process. */
export interface FeedWatch {
  /** Tells the stream everything behind the place, for as long as it is open; what it returns ends that. */
  follow(context: Context, stream: EventStream, follower: Following): () => void
}

interface Following {
  readonly reader: Reader
  readonly guest: Guest
  readonly place: Place
}

interface Follower extends Following {
  readonly stream: EventStream
  reader: Reader
  guest: Guest
  place: Place
  /** When he was last told of a place. */
  told: number
}

const BETWEEN_LOOKS = 40
const BETWEEN_CHECKS = 500
const AFTER_FAILURE = 1000
const AT_ONCE = 3 // Of the connections that everybody shares.
const EVENTS_AT_ONCE = 500

export function createFeedWatch(): FeedWatch {
  const followers = new Set<Follower>()
  let isWatched = false // By one loop: two would tell everything twice.
  const begin = async (context: Context) => {
    if (isWatched) return
    isWatched = true
    for (let checked = 0; followers.size > 0; ) checked = await look(context, followers, checked)
    isWatched = false
  }
  return {
    follow(context, stream, following) {
      const follower = { ...following, stream, told: Date.now() }
      followers.add(follower)
      void begin(context)
      return () => followers.delete(follower)
    },
  }
}

/**
 * Looks whether there is something new, and reads it for whoever has room for it. No follower has a connection of his own,
 * and nothing is kept for one who does not keep up: it waits in the database. `checked`: when all credentials were last
 * looked at, which it returns.
 */
async function look(context: Context, followers: ReadonlySet<Follower>, checked: number): Promise<number> {
  const now = Date.now()
  const isDue = now - checked >= BETWEEN_CHECKS
  try {
    const state = await readFeedState(context.db)
    const awake = [...followers].filter(({ stream, place }) => stream.hasRoom && isAfter(state.newest, place))
    const pages = await readFor(context, awake)
    // After the events were read: whoever was turned out before that does not get them.
    await turnOut(context, isDue ? [...followers] : awake, become)
    for (const [follower, page] of pages) hand(follower, page)
    for (const follower of followers) mark(follower, state)
    const isBehind = [...pages.values()].some(({ has_more }) => has_more)
    await pause(isBehind ? 0 : BETWEEN_LOOKS)
  } catch (error) {
    context.log.warn({ err: error }, 'the feed could not be read')
    await pause(AFTER_FAILURE)
  }
  return isDue ? now : checked
}

interface Page {
  readonly guest: Guest
  readonly place: Place
  readonly frames: readonly Frame[]
  readonly has_more: boolean
}

async function readFor(context: Context, followers: readonly Follower[]): Promise<Map<Follower, Page>> {
  const pages = new Map<Follower, Page>()
  const waiting = followers.values()
  const readOnes = async () => {
    for (const follower of waiting) {
      const { guest, reader, place, stream } = follower
      try {
        const { events, next, has_more } = await readPage(context, reader, place, EVENTS_AT_ONCE)
        const frames = events.map((event) => ({ id: event.id, event: event.type, data: event }))
        pages.set(follower, { guest, place: next, frames, has_more })
      } catch (error) {
        // He comes back by his last id, and is told then what became of it.
        if (error instanceof ApiError && error.reason === 'cursor_expired') stream.end('unavailable')
        else context.log.warn({ err: error }, 'the feed could not be read for one of its followers')
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readOnes))
  return pages
}

/** Whoever has become another one sees something else from now on. */
function become(follower: Follower, guest: Guest): void {
  follower.guest = guest
  follower.reader = { ...follower.reader, viewer: guest.viewer }
}

/** Unless he has become another one since it was read: then it is read again. */
function hand(follower: Follower, { guest, place, frames }: Page): void {
  if (follower.guest !== guest) return
  follower.stream.send(frames)
  follower.place = place
  if (frames.length > 0) follower.told = Date.now()
}

/** Whoever is told nothing for long would fall behind what is kept, although he has missed nothing. */
function mark(follower: Follower, { epoch, horizon, newest }: FeedState): void {
  const { stream, place } = follower
  if (!stream.hasRoom || Date.now() - follower.told < stream.limits.mark) return
  if (!isAfter(newest, place) && place.epoch === epoch && isAfter(horizon, place))
    follower.place = { epoch, ...horizon }
  stream.send([{ id: writePlace(follower.place), event: 'place' }])
  follower.told = Date.now()
}
