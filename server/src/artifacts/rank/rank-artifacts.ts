import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { requireAccount } from '../../accounts/auth-errors.ts'
import type { Tx } from '../../platform/database/db.ts'
import { insertEventsSql } from '../../platform/database/events.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { findTracker } from '../../trackers/find-tracker.ts'
import { requireActiveProject } from '../../trackers/load-tracker.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import { lockRank, raiseRankVersion, rankVersion } from '../../trackers/tracker-rank.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { joinTrackerProjectAndMe, maySeeArtifact } from '../visibility.ts'
import { RankOfTracker } from './get-rank.ts'
import { isInPlace, placeArtifacts, type Placement } from './place-artifacts.ts'

const MAX_MOVED_ARTIFACTS = 500

const Move = Type.Object({
  ids: Type.Array(Type.Integer({ minimum: 1 }), {
    minItems: 1,
    maxItems: MAX_MOVED_ARTIFACTS,
    uniqueItems: true,
    description: 'The artifacts to move, in their new order.',
  }),
  before: Type.Optional(Type.Integer({ minimum: 1, description: 'The artifact that follows them. Or `after`.' })),
  after: Type.Optional(Type.Integer({ minimum: 1, description: 'The artifact that precedes them. Or `before`.' })),
})

export const rankArtifacts = writeRoute({
  method: 'PUT',
  path: '/trackers/:id/rank',
  operationId: 'rankArtifacts',
  summary: 'Move artifacts before or after another one, in the order of their tracker.',
  description:
    'Moves up to 500 artifacts, in the given order, directly before or after another one. Everyone who may change artifacts of the tracker, for those that they see. An artifact that they do not see is 400; with `If-Match` a move after another one is 412.',
  access: 'signed_in',
  action: null,
  params: { id: idParam<TrackerId>('The tracker.') },
  body: Move,
  bodyRules: { check: requireOneAnchor },
  answer: RankOfTracker,
  versioned: true,
  async handle({ context, viewer, params: { id }, body, headers }, work) {
    requireAccount(viewer)
    const { tx } = work
    const { ids, before, after } = body
    const seen = await findTracker(context, tx, viewer, id)
    requireRanker(seen)
    requireActiveProject(seen.tracker)
    const version = await lockRank(tx, seen.tracker)
    const access = await findTracker(context, tx, viewer, id) // Permissions may have changed while waiting.
    requireRanker(access)
    requireRankVersion(headers['if-match'], id, version)
    const side = before === undefined ? 'after' : 'before'
    const moved = await findRankable(tx, viewer, id, ids)
    const missing = ids.findIndex((each) => !moved.has(each))
    if (missing >= 0) throw new ApiError('reference_unknown', { path: `ids[${missing}]`, rule: 'exists' })
    const [anchor] = (await findRankable(tx, viewer, id, [before ?? after ?? 0])).values()
    if (anchor === undefined) throw new ApiError('reference_unknown', { path: side, rule: 'exists' })
    const placement = { tracker_id: id, ids: ids.flatMap((each) => moved.get(each) ?? []), side, anchor } as const
    if (await isInPlace(tx, placement)) return answer(id, version)
    const spread = await placeArtifacts(tx, placement)
    const rank_version = await raiseRankVersion(tx, id)
    await recordMove(work, access, placement, { rank_version, spread, now: context.clock.now() })
    await work.change({
      object: `trackers/${id}/rank`,
      op: 'update',
      project_id: access.tracker.project_id,
      before: { rank_version: version },
      after: { rank_version, ids, [side]: anchor },
    })
    return answer(id, rank_version)
  },
})

function answer(id: TrackerId, rank_version: number) {
  return { body: { rank_version }, version: rankVersion(id, rank_version) }
}

function requireOneAnchor({ ids, before, after }: Static<typeof Move>): void {
  if (before !== undefined && after !== undefined) throw new ApiError('parameter_conflict', { path: 'after' })
  const anchor = before ?? after
  if (anchor === undefined) throw new ApiError('parameter_required', { path: 'before', rule: 'required' })
  if (ids.includes(anchor))
    throw new ApiError('parameter_conflict', { path: before === undefined ? 'after' : 'before' })
}

/** Everyone who may change artifacts of the tracker may order those that they see. */
function requireRanker({ tracker, mayUpdate, administers }: TrackerAccess): void {
  if (administers || tracker.elements.some((element) => element.is_used && mayUpdate(element))) return
  throw new ApiError('permission_denied', { who_may: ['tracker_admin'] })
}

/** `If-Match`: an `Etag` of the order, or its `rank_version` in quotes. */
function requireRankVersion(ifMatch: string | undefined, id: TrackerId, version: number): void {
  if (ifMatch?.split(',').some((each) => each.trim() === `"${version}"`)) return
  requireVersion(ifMatch, rankVersion(id, version))
}

/** Those of these artifacts that are in the tracker and visible to the viewer. */
async function findRankable(
  tx: Tx,
  viewer: Viewer,
  tracker: TrackerId,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ArtifactId>> {
  const { rows } = await sql<{ id: ArtifactId }>`
    with me as materialized (${memberships(viewer)})
    select artifact.id from artifact ${joinTrackerProjectAndMe}
    where artifact.id = any(${ids}::bigint[]) and artifact.tracker_id = ${tracker}
      and ${maySeeArtifact(viewer, joinTrackerProjectAndMe)}`.execute(tx)
  return new Map(rows.map(({ id }) => [id, id]))
}

interface Moved {
  readonly rank_version: number
  /** Other artifacts that got a new rank in the same order. */
  readonly spread: readonly ArtifactId[]
  readonly now: Date
}

/** `artifact.spread` is internal: live queries compare the stored ranks of these artifacts. */
async function recordMove(
  { tx, origin }: WriteContext,
  { tracker }: TrackerAccess,
  { ids, side, anchor }: Placement,
  { rank_version, spread, now }: Moved,
): Promise<void> {
  const { id: tracker_id, project_id } = tracker
  const events = (type: string, some: readonly ArtifactId[]) =>
    insertEventsSql(
      origin,
      sql`select ${type}::text, 'artifacts/' || moved.id, ${project_id}::bigint,
        ${JSON.stringify({ tracker_id, rank_version })}::jsonb
        from unnest(${some}::bigint[]) with ordinality as moved (id, position) order by moved.position`,
    ).execute(tx)
  await events('artifact.ranked', ids)
  if (spread.length > 0) await events('artifact.spread', spread)
  if (!tracker.settings.log_priority_changes) return
  const changed_by = origin.viewer.account_id ?? null
  const fact = { project_id, tracker_id, rank_version, changed_by, changed_on: now, side, anchor_id: anchor }
  await tx
    .insertInto('artifact_rank_change')
    .values(ids.map((artifact_id) => ({ ...fact, artifact_id })))
    .execute()
}
