import type { StreamSession } from '../../accounts/sign-in/revalidate-credentials.ts'
import { inSnapshot, type Tx, type Db } from '../../platform/database/db.ts'
import { isCursorAfter, type FeedState, feedState } from '../../platform/database/events.ts'
import { sequenceEvents } from '../../platform/database/sequence-events.ts'
import type { EventStream, StreamFrame } from '../../platform/http/event-stream.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { FeedCursor } from '../feed-cursor.ts'
import { closeExpiredStreams } from '../close-expired-streams.ts'
import { type ResultSet, type LiveQueryRequest, type LiveSubscriber, windowRows } from './result-set.ts'
import { createResultSets, type OpenedQuery } from './result-sets.ts'
import { createWakeup } from './wakeup.ts'
import { applyUpdate, refreshResults } from './refresh-results.ts'
import { readFeedChanges } from './read-feed-changes.ts'
import { createTextOrder } from './text-order.ts'
import { buildReadyFrame, buildFrames } from './build-frames.ts'
import { sql } from 'kysely'
import { accessVersion } from '../../trackers/load-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { fromTrackers } from '../../trackers/visibility.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly live: LiveQueryHub
  }
}

/** All live queries of this process, refreshed by one loop. */
export interface LiveQueryHub {
  /** Runs the query for the first time; fails as the list does. */
  open(context: Context, viewer: Viewer, liveQuery: LiveQueryRequest): Promise<OpenedQuery>
  /** Keeps the result up to date for as long as the stream is open; returns the function that unsubscribes. */
  subscribe(context: Context, stream: EventStream, subscription: LiveSubscription): () => void
}

interface LiveSubscription extends OpenedQuery {
  readonly liveQuery: LiveQueryRequest
  readonly guest: StreamSession
}

const POLL_INTERVAL_MS = 30
const CREDENTIAL_CHECK_INTERVAL_MS = 500
const MIN_RESET_INTERVAL_MS = 1000
const FAILURE_BACKOFF_MS = 1000
const REOPEN_CONCURRENCY = 2
const MAX_UNMEASURED_FRAMES = 20
const MAX_FRAMES_BYTES = 1_048_576
const RESET_FRAME: StreamFrame = { event: 'reset', data: {} }

export function createLiveQueryHub(): LiveQueryHub {
  const resultSets = createResultSets()
  const subscribers = new Set<LiveSubscriber>()
  /** Subscribers to attach before the next poll: during a poll the result sets are partly updated. */
  const pendingSubscribers = new Set<LiveSubscriber>()
  const reloadedSets: { old: ResultSet; fresh: ResultSet }[] = []
  const texts = createTextOrder()
  const wakeup = createWakeup()
  let cursor: FeedCursor | undefined
  let isRunning = false // A second loop would send every change twice.
  let reopening = 0
  let credentialsCheckedAt = 0

  const run = async (context: Context) => {
    if (isRunning) return
    isRunning = true
    while (subscribers.size > 0) await wakeup.wait(await poll(context))
    isRunning = false
    cursor = undefined
  }

  /** One poll; returns the delay before the next one. */
  async function poll(context: Context): Promise<number> {
    const now = Date.now()
    try {
      admitPendingSubscribers()
      const snapshot = await readSequencedFeed(context.db, watchedTrackers())
      resetAfterGap(snapshot)
      dropOutdatedResultSets(snapshot)
      const feedChanges =
        cursor && isCursorAfter(snapshot.horizon, cursor) ? await applyFeedChanges(context, cursor) : undefined
      if (!feedChanges) cursor = { epoch: snapshot.epoch, ...snapshot.horizon }
      const frames = new Map(feedChanges?.frames)
      for (const subscriber of subscribers)
        if (needsFullState(subscriber)) frames.set(subscriber, fullStateFrames(subscriber))
      const isDue = now - credentialsCheckedAt >= CREDENTIAL_CHECK_INTERVAL_MS
      if (isDue) credentialsCheckedAt = now
      // After everything is read, so that a stream whose credentials have expired does not get it.
      await closeExpiredStreams(context, isDue ? [...subscribers] : [...frames.keys()], replaceSession)
      for (const [subscriber, some] of frames) sendFrames(subscriber, some)
      reopenWaiting(context)
      reloadPolledSets(context)
      return feedChanges?.has_more ? 0 : POLL_INTERVAL_MS
    } catch (error) {
      context.log.warn({ err: error }, 'the live queries could not be looked at')
      for (const subscriber of subscribers) if (subscriber.state === 'current') subscriber.state = 'stale'
      return FAILURE_BACKOFF_MS
    }
  }

  function watchedTrackers() {
    return [...new Set([...resultSets.active.values()].map(({ access }) => access.tracker.id))]
  }

  /** New subscribers share an existing result set or register their own, which may be older than the hub's cursor. */
  function admitPendingSubscribers(): void {
    for (const { old, fresh } of reloadedSets.splice(0)) replaceResultSet(old, fresh)
    for (const subscriber of pendingSubscribers)
      if (subscribers.has(subscriber)) attach(subscriber, subscriber.resultSet)
    pendingSubscribers.clear()
  }

  function attach(subscriber: LiveSubscriber, opened: ResultSet): void {
    const resultSet = resultSets.active.get(opened.key) ?? opened
    if (resultSet === opened && !resultSets.active.has(opened.key)) register(opened)
    subscriber.resultSet = resultSet
    resultSet.subscribers.add(subscriber)
  }

  function register(resultSet: ResultSet): void {
    resultSets.active.set(resultSet.key, resultSet)
    if (!cursor || (cursor.epoch === resultSet.cursor.epoch && isCursorAfter(cursor, resultSet.cursor)))
      cursor = resultSet.cursor
  }

  function detach(subscriber: LiveSubscriber): void {
    const { resultSet } = subscriber
    resultSet.subscribers.delete(subscriber)
    if (resultSet.subscribers.size > 0 || resultSets.active.get(resultSet.key) !== resultSet) return
    resultSets.active.delete(resultSet.key)
    if (cursor) resultSet.cursor = cursor
  }

  /** Resets everything after a restore, or if events were removed before they were read. */
  function resetAfterGap({ epoch, removed, horizon }: FeedSnapshot): void {
    if (cursor?.epoch === epoch && !isCursorAfter(removed, cursor)) return
    for (const resultSet of resultSets.active.values()) if (resultSet.cursor.epoch !== epoch || cursor) reset(resultSet)
    cursor = { epoch, ...horizon }
  }

  /** Retires result sets whose tracker or permissions have changed, so that nothing more is sent by the old ones. */
  function dropOutdatedResultSets({ stamps }: FeedSnapshot): void {
    for (const resultSet of resultSets.active.values()) {
      if (stamps[resultSet.access.tracker.id] === resultSet.access.tracker.stamp) continue
      resultSets.retire(resultSet, cursor ?? resultSet.cursor)
      reset(resultSet)
    }
  }

  function reset(resultSet: ResultSet): void {
    resultSets.active.delete(resultSet.key)
    for (const subscriber of resultSet.subscribers) invalidate(subscriber)
  }

  /** Tells the client at once that its rows are no longer valid. */
  function invalidate(subscriber: LiveSubscriber): void {
    if (subscriber.state === 'current' || subscriber.state === 'stale') subscriber.stream.send([RESET_FRAME])
    subscriber.state = 'waiting'
    detach(subscriber)
  }

  function replaceSession(subscriber: LiveSubscriber, guest: StreamSession): void {
    const { viewer } = subscriber.guest
    subscriber.guest = guest
    const seesTheSame =
      viewer.is_site_admin === guest.viewer.is_site_admin && viewer.is_restricted === guest.viewer.is_restricted
    if (!seesTheSame) invalidate(subscriber)
  }

  /** Reads all new events and their effects in one snapshot: visibility, membership and representation agree. */
  function applyFeedChanges(context: Context, from: FeedCursor) {
    return inSnapshot(context.db, async (tx: Tx) => {
      const snapshot = await readFeedSnapshot(tx, watchedTrackers())
      dropOutdatedResultSets(snapshot)
      const feedChanges = await readFeedChanges(tx, from, snapshot)
      const { updates, overrun } = await refreshResults(tx, [...resultSets.active.values()], feedChanges, texts)
      for (const resultSet of overrun) reset(resultSet)
      const diffs = updates.map((update) => applyUpdate(update, feedChanges))
      cursor = feedChanges.next
      if (feedChanges.changesRights)
        for (const resultSet of resultSets.active.values())
          if (resultSet.dependencies.links.length > 0) resultSet.reviewedAt = 0
      return { frames: await buildFrames(context, tx, diffs, cursor), has_more: feedChanges.has_more }
    })
  }

  function needsFullState(subscriber: LiveSubscriber): boolean {
    const { state, stream, resetAt: last } = subscriber
    if (pendingSubscribers.has(subscriber)) return false
    return stream.hasRoom && (state === 'new' || (state === 'stale' && Date.now() - last >= MIN_RESET_INTERVAL_MS))
  }

  function fullStateFrames({ state, resultSet }: LiveSubscriber): readonly StreamFrame[] {
    const ready = buildReadyFrame(resultSet, cursor ?? resultSet.cursor)
    return state === 'stale' ? [RESET_FRAME, ready] : [ready]
  }

  function sendFrames(subscriber: LiveSubscriber, frames: readonly StreamFrame[]): void {
    const { state, stream } = subscriber
    if (state === 'waiting' || frames.length === 0) return
    if (state === 'current' && exceedsFrameBudget(frames)) {
      subscriber.state = 'stale'
      return
    }
    if (state !== 'current') {
      subscriber.state = 'current'
      subscriber.resetAt = Date.now()
    }
    stream.send(frames)
  }

  /** Runs the query again for waiting subscribers, a few at a time. */
  function reopenWaiting(context: Context): void {
    for (const subscriber of subscribers) {
      if (reopening >= REOPEN_CONCURRENCY) return
      const isDue =
        subscriber.state === 'waiting' &&
        !pendingSubscribers.has(subscriber) &&
        Date.now() - subscriber.resetAt >= MIN_RESET_INTERVAL_MS
      if (isDue) void reopenSubscriber(context, subscriber)
    }
  }

  async function reopenSubscriber(context: Context, subscriber: LiveSubscriber): Promise<void> {
    const { guest, liveQuery, stream } = subscriber
    reopening++
    subscriber.resetAt = Date.now() // Prevents a second attempt for the same subscriber.
    try {
      const opened = await resultSets.open(context, guest.viewer, liveQuery)
      if (subscriber.guest !== guest) return
      Object.assign(subscriber, { ...opened, state: 'new' })
      pendingSubscribers.add(subscriber)
    } catch (error) {
      // The client reconnects and gets the exact error then.
      if (error instanceof ApiError && error.status < 500) stream.end('unavailable')
      else context.log.warn({ err: error }, 'a live query could not be reloaded')
    } finally {
      reopening--
      reopenWaiting(context)
    }
  }

  /** Reloads result sets with dependencies that no event reports, at an interval. */
  function reloadPolledSets(context: Context): void {
    for (const resultSet of resultSets.active.values()) {
      const [subscriber] = resultSet.subscribers
      if (!resultSet.dependencies.needsPolling || !subscriber || reopening >= REOPEN_CONCURRENCY) continue
      const age = Date.now() - resultSet.reviewedAt
      if (age >= subscriber.stream.limits.cursorIntervalMs) void reloadResultSet(context, resultSet, subscriber)
    }
  }

  async function reloadResultSet(
    context: Context,
    old: ResultSet,
    { guest, liveQuery }: LiveSubscriber,
  ): Promise<void> {
    reopening++
    old.reviewedAt = Date.now()
    try {
      const { resultSet: fresh } = await resultSets.open(context, guest.viewer, liveQuery, true)
      reloadedSets.push({ old, fresh })
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) reset(old)
      else context.log.warn({ err: error }, 'a live query could not be asked again')
    } finally {
      reopening--
    }
  }

  /** Subscribers are reset only if the result differs. */
  function replaceResultSet(old: ResultSet, fresh: ResultSet): void {
    if (resultSets.active.get(old.key) !== old) return
    const isSame = resultFingerprint(old) === resultFingerprint(fresh)
    const moved = [...old.subscribers]
    resultSets.active.delete(old.key)
    for (const subscriber of moved) {
      attach(subscriber, fresh)
      if (!isSame && subscriber.state === 'current') subscriber.state = 'stale'
    }
  }

  return {
    open: (context, viewer, liveQuery) => resultSets.open(context, viewer, liveQuery),
    subscribe(context, stream, subscription) {
      const subscriber: LiveSubscriber = { ...subscription, stream, state: 'new', resetAt: 0 }
      subscribers.add(subscriber)
      pendingSubscribers.add(subscriber)
      wakeup.notify()
      void run(context)
      return () => {
        subscribers.delete(subscriber)
        detach(subscriber)
      }
    },
  }
}

/** Above this budget a reset is cheaper than the single changes. */
function exceedsFrameBudget(frames: readonly StreamFrame[]): boolean {
  return frames.length > MAX_UNMEASURED_FRAMES && JSON.stringify(frames).length > MAX_FRAMES_BYTES
}

function resultFingerprint(resultSet: ResultSet): string {
  return JSON.stringify([resultSet.result.ids.size, windowRows(resultSet).map(({ id, version }) => [id, version])])
}

interface FeedSnapshot extends FeedState {
  /** Access version by tracker id. Needed because some withdrawn permissions write no event. */
  readonly stamps: Readonly<Record<string, string>>
}

/** After all events that are committed now have a position. */
async function readSequencedFeed(db: Db, trackers: readonly TrackerId[]): Promise<FeedSnapshot> {
  const snapshot = await readFeedSnapshot(db, trackers)
  if (!snapshot.is_behind) return snapshot
  await sequenceEvents(db)
  return readFeedSnapshot(db, trackers)
}

/** The horizon of the feed and the access versions of these trackers, in one statement. */
async function readFeedSnapshot(db: Db | Tx, trackers: readonly TrackerId[]): Promise<FeedSnapshot> {
  const { rows } = await sql<FeedSnapshot>`
    select feed.*, (select coalesce(json_object_agg(tracker.id, ${accessVersion}), '{}') from ${fromTrackers(trackers)}) as stamps
    from (${feedState}) feed`.execute(db)
  const [snapshot] = rows
  if (!snapshot) throw new TypeError('The feed has no epoch.')
  return snapshot
}
