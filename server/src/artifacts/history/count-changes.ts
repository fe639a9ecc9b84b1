import { Type } from 'typebox'
import { type Context, platformZone } from '../../platform/operation/context.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { MOMENT, parseMoment } from '../../platform/wire/formats.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { findTracker } from '../../trackers/find-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { type ChangeRange, findChangeCounts } from './find-change-counts.ts'

const MAX_STEPS = 400
const DEFAULT_STEPS = 100

export const countChanges = readRoute({
  method: 'GET',
  path: '/trackers/:id/changes',
  operationId: 'countChanges',
  summary: 'Count the changes of the artifacts of a tracker over time.',
  description:
    'For a timeline: the changes in equal steps of time, and the first and the last of them. A change is a version that created an artifact or changed a field that the caller may read; links and comments are not counted. Everyone who may see the tracker; artifacts that the caller may not read are not counted. `AS OF` one of these moments includes the change. Hidden and absent trackers are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<TrackerId>('The tracker.') },
  query: {
    from: Type.Optional(
      Type.String({ format: MOMENT, description: 'The first day or instant; the first change by default.' }),
    ),
    to: Type.Optional(Type.String({ format: MOMENT, description: 'The last instant, included; now by default.' })),
    steps: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_STEPS, default: DEFAULT_STEPS, description: 'The number of steps.' }),
    ),
  },
  answer: Type.Object(
    {
      from: nullable(Type.String({ description: 'The start of the first step; null without `from` and changes.' })),
      to: Type.String(),
      total: Type.Integer(),
      first: nullable(Type.String({ description: 'The first change of this time, rounded up to a second.' })),
      last: nullable(Type.String({ description: 'The last change of this time, rounded up to a second.' })),
      steps: Type.Array(Type.Integer(), { description: 'The number of changes in each step.' }),
    },
    { title: 'ChangeCounts' },
  ),
  async handle({ context, viewer, params, query }) {
    return retryOnConflict(async () => {
      const access = await findTracker(context, context.db, viewer, params.id)
      const range = readRange(context, viewer, query)
      const found = await findChangeCounts(context.db, access, range)
      if (found?.stamp !== access.tracker.stamp) return undefined
      const { first, last, total, steps } = found
      const from = range.from ?? first
      return {
        body: {
          from: from && apiDate(from),
          to: apiDate(range.to),
          total,
          first: first && apiDate(first),
          last: last && apiDate(last),
          steps: [...steps],
        },
      }
    })
  },
})

interface GivenRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly steps?: number | undefined
}

function readRange(context: Context, viewer: Viewer, { from, to, steps = DEFAULT_STEPS }: GivenRange): ChangeRange {
  const zone = viewer.time_zone ?? platformZone(context)
  const [first, last] = [from, to].map((text) => (text === undefined ? undefined : parseMoment(text, zone)))
  if (first && last && first > last) throw new ApiError('parameter_conflict', { path: 'to', cause: 'from_after_to' })
  return { from: first, to: last ?? context.clock.now(), steps }
}
