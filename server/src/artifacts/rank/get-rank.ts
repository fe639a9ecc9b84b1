import { Type } from 'typebox'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { findTracker } from '../../trackers/find-tracker.ts'
import { loadRankVersion, rankVersion } from '../../trackers/tracker-rank.ts'
import type { TrackerId } from '../../trackers/tracker.ts'

export const RankOfTracker = Type.Object(
  { rank_version: Type.Integer({ description: 'Changes with every move; 0 if no artifact was ever moved.' }) },
  { title: 'RankOfTracker' },
)

export const getRank = readRoute({
  method: 'GET',
  path: '/trackers/:id/rank',
  operationId: 'getRank',
  summary: 'Show the version of the order of artifacts in a tracker; its `Etag` is for `If-Match`.',
  description:
    'Shows the version of the order, for a move that must not follow another one. Everyone who sees the tracker. A tracker that the caller may not see is 404.',
  access: 'everyone',
  params: { id: idParam<TrackerId>('The tracker.') },
  answer: RankOfTracker,
  versioned: true,
  async handle({ context, viewer, params: { id } }) {
    await findTracker(context, context.db, viewer, id)
    const rank_version = await loadRankVersion(context.db, id)
    return { body: { rank_version }, version: rankVersion(id, rank_version) }
  },
})
