import type { ArtifactId } from '../../artifacts/artifact.ts'
import { listReadableFields } from '../../artifacts/reading/artifact-table.ts'
import { type ArtifactHead, findHeads } from '../../artifacts/reading/find-artifact.ts'
import { isShownByItself, buildPlainReadContext } from '../../artifacts/reading/read-context.ts'
import type { Audience } from '../../artifacts/reading/audience.ts'
import { represent } from '../../artifacts/reading/represent-artifact.ts'
import { showFound } from '../../artifacts/search/show-found.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { StreamFrame } from '../../platform/http/event-stream.ts'
import type { Context } from '../../platform/operation/context.ts'
import { versionTag } from '../../platform/wire/etag.ts'
import { type FeedCursor, formatFeedCursor } from '../feed-cursor.ts'
import { type ResultSet, type LiveSubscriber, windowRows } from './result-set.ts'
import type { ResultDiff } from './refresh-results.ts'
import type { ResultRow } from './result-buffer.ts'

/** The complete window, for a subscriber without rows. */
export function buildReadyFrame(resultSet: ResultSet, cursor: FeedCursor): StreamFrame {
  const rows = windowRows(resultSet).map((row) => ({ id: row.id, v: rowVersionTag(row) }))
  return { id: formatFeedCursor(cursor), event: 'ready', data: { size: resultSet.result.ids.size, rows } }
}

/**
 * The frames for each up-to-date subscriber, with artifacts as that subscriber may read them. Uses the same snapshot in
 * which visibility was checked.
 */
export async function buildFrames(
  context: Context,
  tx: Tx,
  changed: readonly ResultDiff[],
  cursor: FeedCursor,
): Promise<Map<LiveSubscriber, readonly StreamFrame[]>> {
  const recipients = changed.map((each) => ({ diff: each, subscribers: currentSubscribers(each.resultSet) }))
  const show = await loadArtifactBodies(context, tx, recipients)
  const frames = new Map<LiveSubscriber, readonly StreamFrame[]>()
  for (const { diff: each, subscribers } of recipients)
    for (const subscriber of subscribers) frames.set(subscriber, buildSubscriberFrames(subscriber, each, cursor, show))
  return frames
}

interface DiffRecipients {
  readonly diff: ResultDiff
  readonly subscribers: readonly LiveSubscriber[]
}

type RenderArtifact = (subscriber: LiveSubscriber, id: ArtifactId) => unknown

function buildSubscriberFrames(
  subscriber: LiveSubscriber,
  { steps, size, hasOtherSize }: ResultDiff,
  cursor: FeedCursor,
  show: RenderArtifact,
): StreamFrame[] {
  const id = formatFeedCursor(cursor)
  const frames = steps.map(({ event, row, why, ...more }): StreamFrame => {
    const data = { id: row.id, ...('position' in more && { position: more.position }), size, ...(why && { why }) }
    if (event === 'leave') return { id, event, data }
    return { id, event, data: { ...data, v: rowVersionTag(row), artifact: show(subscriber, row.id) } }
  })
  return frames.length > 0 || !hasOtherSize ? frames : [{ id, event: 'size', data: { size } }]
}

/**
 * Marks subscribers without room in the stream as stale: they get a complete window later, so no frames are buffered.
 */
function currentSubscribers({ subscribers }: ResultSet): LiveSubscriber[] {
  const current = [...subscribers].filter(({ state }) => state === 'current')
  for (const subscriber of current) if (!subscriber.stream.hasRoom) subscriber.state = 'stale'
  return current.filter(({ state }) => state === 'current')
}

function rowVersionTag({ id, version }: ResultRow): string {
  return versionTag({ kind: 'artifact', id, version })
}

/** Loads the artifacts to send: parts that are equal for all viewers once, the rest once per viewer. */
async function loadArtifactBodies(
  context: Context,
  tx: Tx,
  recipients: readonly DiffRecipients[],
): Promise<RenderArtifact> {
  const heads = new Set<ArtifactId>()
  const wholes = new Map<string, { follower: LiveSubscriber; ids: Set<ArtifactId> }>()
  for (const { diff: changed, subscribers } of recipients) {
    const ids = changed.steps.flatMap(({ event, row }) => (event === 'leave' ? [] : [row.id]))
    if (ids.length === 0) continue
    for (const subscriber of subscribers) {
      const whole = wholes.get(viewerKey(subscriber)) ?? { follower: subscriber, ids: new Set() }
      if (!needsOnlyHead(subscriber)) wholes.set(viewerKey(subscriber), whole)
      const wanted = needsOnlyHead(subscriber) ? heads : whole.ids
      for (const id of ids) wanted.add(id)
    }
  }
  const found = await findHeads(tx, [...heads])
  const shown = new Map<string, unknown>()
  for (const [reader, { follower: subscriber, ids }] of wholes) {
    const audience = audienceOf(context, tx, subscriber)
    for (const artifact of await showFound(audience, subscriber.access, [...ids], { withValues: true }))
      shown.set(`${reader} ${artifact.id}`, artifact)
  }
  return (subscriber, id) => {
    const head = found.get(id)
    const body = needsOnlyHead(subscriber)
      ? head && representHead(audienceOf(context, tx, subscriber), subscriber, head)
      : shown.get(`${viewerKey(subscriber)} ${id}`)
    if (body === undefined) throw new TypeError(`Artifact ${id} is not there in the moment in which it was found.`)
    const { cut } = subscriber.liveQuery
    return cut ? cut.element(body, listReadableFields(subscriber.access)) : body
  }
}

/** Whether the subscriber requests no field that needs links, files, sums or references. */
function needsOnlyHead({ liveQuery: { withValues, cut }, access }: LiveSubscriber): boolean {
  if (!withValues) return true
  const fields = listReadableFields(access)
  return (cut?.picked('values', fields) ?? fields).every(isShownByItself)
}

/** Subscribers with the same key get the same representation. */
function viewerKey({ guest: { viewer }, liveQuery, access }: LiveSubscriber): string {
  return JSON.stringify([
    viewer.account_id ?? null,
    viewer.is_site_admin ?? false,
    viewer.is_restricted ?? false,
    viewer.credential?.projects ?? null,
    liveQuery.language.tag,
    access.tracker.id,
  ])
}

function representHead(audience: Audience, { liveQuery, access }: LiveSubscriber, head: ArtifactHead): unknown {
  const found = { ...head, access: access }
  if (!liveQuery.withValues) return represent(audience, found, { values: 'none' }, undefined)
  return represent(audience, found, { values: 'collection' }, buildPlainReadContext(audience, found))
}

function audienceOf(context: Context, tx: Tx, { guest, liveQuery }: LiveSubscriber): Audience {
  return { context, db: tx, viewer: guest.viewer, language: liveQuery.language }
}
