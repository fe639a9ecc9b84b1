import { Type } from 'typebox'
import { ArtifactRepresentation } from '../../artifacts/reading/represent-artifact.ts'
import { searchParameters } from '../../artifacts/search/read-search.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { notAcceptable } from '../../platform/wire/media-types.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { STREAM_LIMITS } from '../stream-limits.ts'

const REFUSED_PARAMETER = 'Refused here: the list takes it.'

export const followArtifacts = readRoute({
  method: 'GET',
  path: '/trackers/:id/artifacts/live',
  operationId: 'followArtifacts',
  summary:
    'Follow the first artifacts of a tracker, or of those that fit: `ready`, then `enter`, `change`, `leave`, `size` and `reset`.',
  description:
    'Keeps the first rows of a search up to date, as server-sent events. Everyone who may see the tracker; rows that may no longer be read leave. Other media types are 406; pages, `AS OF` and expensive queries are refused.',
  access: 'everyone',
  params: { id: idParam<TrackerId>('The tracker.') },
  query: {
    ...searchParameters,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Rows that are shown.' }),
    ),
    offset: Type.Optional(Type.String({ description: REFUSED_PARAMETER })),
    cursor: Type.Optional(Type.String({ description: REFUSED_PARAMETER })),
    explain: Type.Optional(Type.String({ description: REFUSED_PARAMETER })),
  },
  formats: {
    sparse: true,
    stream: {
      limits: STREAM_LIMITS,
      isOnly: true,
      async open({ context, viewer, language, params, query, headers, chosen, cut }) {
        for (const path of ['offset', 'cursor', 'explain'] as const)
          if (query[path] !== undefined) throw new ApiError('parameter_conflict', { path, cause: 'live_query' })
        const { limit = 100, query: criteria, expert_query, order } = query
        const search = { query: criteria, expert_query, order }
        const withValues = chosen?.has('values') === true
        const liveQuery = { tracker: params.id, search, limit, language, withValues, cut }
        const opened = await context.live.open(context, viewer, liveQuery)
        return (stream) => context.live.subscribe(context, stream, { ...opened, liveQuery, guest: { viewer, headers } })
      },
    },
  },
  answer: Type.Array(ArtifactRepresentation),
  handle() {
    throw notAcceptable(['text/event-stream'])
  },
})
