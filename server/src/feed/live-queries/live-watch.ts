import type { Guest } from '../../accounts/sign-in/still-signed-in.ts'
import { inSnapshot, type Tx } from '../../platform/database/db.ts'
import { isAfter } from '../../platform/database/events.ts'
import type { EventStream, Frame } from '../../platform/http/event-stream.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { Place } from '../place.ts'
import { turnOut } from '../turn-out.ts'
import { type Answer, type Asked, type Follower, windowOf } from './answer.ts'
import { createAnswers, type Opened } from './answers.ts'
import { createBell } from './bell.ts'
import { applyUpdate, lookAgain } from './look-again.ts'
import { readNews } from './read-news.ts'
import { readWatch, type Watched } from './read-watch.ts'
import { createTextOrder } from './text-order.ts'
import { readyFrame, writeFrames } from './write-frames.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly live: LiveWatch
  }
}

/** All live queries of this process, looked at together. */
export interface LiveWatch {
  /** Answers a live query for the first time; refuses as the list does. */
  open(context: Context, viewer: Viewer, asked: Asked): Promise<Opened>
  /** Keeps the answer true for as long as the stream is open; what it returns ends that. */
  follow(context: Context, stream: EventStream, following: Following): () => void
}

interface Following extends Opened {
  readonly asked: Asked
  readonly guest: Guest
}

const BETWEEN_LOOKS = 30
const BETWEEN_CHECKS = 500
const BETWEEN_RESETS = 1000
const AFTER_FAILURE = 1000
const REOPENED_AT_ONCE = 2
const FEW = 20
const MOST_BYTES = 1_048_576
const RESET: Frame = { event: 'reset', data: {} }

export function createLiveWatch(): LiveWatch {
  const answers = createAnswers()
  const followers = new Set<Follower>()
  /** Who is to be let in at the next look: in the midst of one the answers are half new. */
  const newcomers = new Set<Follower>()
  const reviewed: { old: Answer; fresh: Answer }[] = []
  const texts = createTextOrder()
  const bell = createBell()
  let place: Place | undefined
  let isWatched = false // By one loop: two would tell everything twice.
  let reopening = 0
  let checked = 0

  const begin = async (context: Context) => {
    if (isWatched) return
    isWatched = true
    while (followers.size > 0) await bell.wait(await look(context))
    isWatched = false
    place = undefined
  }

  /** One look; how long to wait for the next. */
  async function look(context: Context): Promise<number> {
    const now = Date.now()
    try {
      admit()
      const watched = await readWatch(context.db, trackersWatched())
      requirePlace(watched)
      withdraw(watched)
      const news = place && isAfter(watched.newest, place) ? await catchUp(context, place) : undefined
      if (!news) place = { epoch: watched.epoch, ...watched.horizon }
      const frames = new Map(news?.frames)
      for (const follower of followers) if (isToBeTold(follower)) frames.set(follower, everything(follower))
      const isDue = now - checked >= BETWEEN_CHECKS
      if (isDue) checked = now
      // After everything was read: whoever was turned out before that does not get it.
      await turnOut(context, isDue ? [...followers] : [...frames.keys()], become)
      for (const [follower, some] of frames) hand(follower, some)
      reopen(context)
      review(context)
      return news?.has_more ? 0 : BETWEEN_LOOKS
    } catch (error) {
      context.log.warn({ err: error }, 'the live queries could not be looked at')
      for (const follower of followers) if (follower.state === 'current') follower.state = 'stale'
      return AFTER_FAILURE
    }
  }

  function trackersWatched() {
    return [...new Set([...answers.followed.values()].map(({ sight }) => sight.tracker.id))]
  }

  /** Whoever is new follows the answer that others follow already, or his own, which may be older than what was looked at. */
  function admit(): void {
    for (const { old, fresh } of reviewed.splice(0)) replace(old, fresh)
    for (const follower of newcomers) if (followers.has(follower)) join(follower, follower.answer)
    newcomers.clear()
  }

  function join(follower: Follower, opened: Answer): void {
    const answer = answers.followed.get(opened.key) ?? opened
    if (answer === opened && !answers.followed.has(opened.key)) register(opened)
    follower.answer = answer
    answer.followers.add(follower)
  }

  function register(answer: Answer): void {
    answers.followed.set(answer.key, answer)
    if (!place || (place.epoch === answer.place.epoch && isAfter(place, answer.place))) place = answer.place
  }

  function part(follower: Follower): void {
    const { answer } = follower
    answer.followers.delete(follower)
    if (answer.followers.size > 0 || answers.followed.get(answer.key) !== answer) return
    answers.followed.delete(answer.key)
    if (place) answer.place = place
  }

  /** After a restore, or where events were removed that nobody has looked at, everything is read anew. */
  function requirePlace({ epoch, removed, horizon }: Watched): void {
    if (place?.epoch === epoch && !isAfter(removed, place)) return
    for (const answer of answers.followed.values()) if (answer.place.epoch !== epoch || place) reset(answer)
    place = { epoch, ...horizon }
  }

  /** Nobody is told anything more by rights or by a structure that has changed. */
  function withdraw({ stamps }: Watched): void {
    for (const answer of answers.followed.values()) {
      if (stamps[answer.sight.tracker.id] === answer.sight.tracker.stamp) continue
      answers.retire(answer, place ?? answer.place)
      reset(answer)
    }
  }

  function reset(answer: Answer): void {
    answers.followed.delete(answer.key)
    for (const follower of answer.followers) dismiss(follower)
  }

  /** What he has is worth nothing any more, and he is told so at once. */
  function dismiss(follower: Follower): void {
    if (follower.state === 'current' || follower.state === 'stale') follower.stream.send([RESET])
    follower.state = 'waiting'
    part(follower)
  }

  function become(follower: Follower, guest: Guest): void {
    const { viewer } = follower.guest
    follower.guest = guest
    const seesTheSame =
      viewer.is_site_admin === guest.viewer.is_site_admin && viewer.is_restricted === guest.viewer.is_restricted
    if (!seesTheSame) dismiss(follower)
  }

  /** Everything that has happened since, in one snapshot: who may see what, what it is, and how it looks. */
  function catchUp(context: Context, from: Place) {
    return inSnapshot(context.db, async (tx: Tx) => {
      const watched = await readWatch(tx, trackersWatched())
      withdraw(watched)
      const news = await readNews(tx, from, watched)
      const { updates, overrun } = await lookAgain(tx, [...answers.followed.values()], news, texts)
      for (const answer of overrun) reset(answer)
      const told = updates.map((update) => applyUpdate(update, news))
      place = news.next
      if (news.isOfRights)
        for (const answer of answers.followed.values()) if (answer.dependence.links.length > 0) answer.reviewed = 0
      return { frames: await writeFrames(context, tx, told, place), has_more: news.has_more }
    })
  }

  function isToBeTold(follower: Follower): boolean {
    const { state, stream, reset: last } = follower
    if (newcomers.has(follower)) return false
    return stream.hasRoom && (state === 'new' || (state === 'stale' && Date.now() - last >= BETWEEN_RESETS))
  }

  function everything({ state, answer }: Follower): readonly Frame[] {
    const ready = readyFrame(answer, place ?? answer.place)
    return state === 'stale' ? [RESET, ready] : [ready]
  }

  function hand(follower: Follower, frames: readonly Frame[]): void {
    const { state, stream } = follower
    if (state === 'waiting' || frames.length === 0) return
    if (state === 'current' && isTooMuch(frames)) {
      follower.state = 'stale'
      return
    }
    if (state !== 'current') {
      follower.state = 'current'
      follower.reset = Date.now()
    }
    stream.send(frames)
  }

  /** Asks again for those who are without an answer, a few at a time. */
  function reopen(context: Context): void {
    for (const follower of followers) {
      if (reopening >= REOPENED_AT_ONCE) return
      const isDue =
        follower.state === 'waiting' && !newcomers.has(follower) && Date.now() - follower.reset >= BETWEEN_RESETS
      if (isDue) void answerAnew(context, follower)
    }
  }

  async function answerAnew(context: Context, follower: Follower): Promise<void> {
    const { guest, asked, stream } = follower
    reopening++
    follower.reset = Date.now() // So that nobody else begins with him.
    try {
      const opened = await answers.open(context, guest.viewer, asked)
      if (follower.guest !== guest) return
      Object.assign(follower, { ...opened, state: 'new' })
      newcomers.add(follower)
    } catch (error) {
      // He is refused when he comes back, and told why.
      if (error instanceof ApiError && error.status < 500) stream.end('unavailable')
      else context.log.warn({ err: error }, 'a live query could not be answered anew')
    } finally {
      reopening--
      reopen(context)
    }
  }

  /** What depends on more than is told is asked again from time to time. */
  function review(context: Context): void {
    for (const answer of answers.followed.values()) {
      const [follower] = answer.followers
      if (!answer.dependence.onMore || !follower || reopening >= REOPENED_AT_ONCE) continue
      const age = Date.now() - answer.reviewed
      if (age >= follower.stream.limits.mark) void askAgain(context, answer, follower)
    }
  }

  async function askAgain(context: Context, old: Answer, { guest, asked }: Follower): Promise<void> {
    reopening++
    old.reviewed = Date.now()
    try {
      const { answer: fresh } = await answers.open(context, guest.viewer, asked, true)
      reviewed.push({ old, fresh })
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) reset(old)
      else context.log.warn({ err: error }, 'a live query could not be asked again')
    } finally {
      reopening--
    }
  }

  /** Nobody is told of it, unless it is another answer now. */
  function replace(old: Answer, fresh: Answer): void {
    if (answers.followed.get(old.key) !== old) return
    const isSame = printed(old) === printed(fresh)
    const moved = [...old.followers]
    answers.followed.delete(old.key)
    for (const follower of moved) {
      join(follower, fresh)
      if (!isSame && follower.state === 'current') follower.state = 'stale'
    }
  }

  return {
    open: (context, viewer, asked) => answers.open(context, viewer, asked),
    follow(context, stream, following) {
      const follower: Follower = { ...following, stream, state: 'new', reset: 0 }
      followers.add(follower)
      newcomers.add(follower)
      bell.ring()
      void begin(context)
      return () => {
        followers.delete(follower)
        part(follower)
      }
    },
  }
}

/** A reader who has this much before him is better served with everything anew. */
function isTooMuch(frames: readonly Frame[]): boolean {
  return frames.length > FEW && JSON.stringify(frames).length > MOST_BYTES
}

function printed(answer: Answer): string {
  return JSON.stringify([answer.result.ids.size, windowOf(answer).map(({ id, version }) => [id, version])])
}
