import { hash } from 'node:crypto'
import { Type } from 'typebox'
import { cutPage, type Pagination, type KeysetPosition } from '../../platform/http/pages.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { platformZone } from '../../platform/operation/context.ts'
import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import { MOMENT } from '../../platform/wire/formats.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { findVisibleReports } from '../../trackers/reports/find-visible-reports.ts'
import { findTracker } from '../../trackers/find-tracker.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { Audience } from '../reading/audience.ts'
import { Explanation, explainSearch } from '../search/explain-search.ts'
import { ignoredHeader } from '../search/ignored-header.ts'
import { unmarked } from '../search/list-found.ts'
import { type ReadSearch, readSearch, searchParameters } from '../search/read-search.ts'
import { searchOfReport } from '../reports/search-of-report.ts'
import { findGroups, type FoundKey } from './find-groups.ts'
import { findSeries } from './find-series.ts'
import type { Grouping } from './grouping.ts'
import { readGrouping } from './read-grouping.ts'
import { readSteps, SERIES_INTERVALS } from './read-steps.ts'
import { GroupCounts, GroupSeries, showGroups, showSeries } from './show-groups.ts'

export const countGroups = readRoute({
  method: 'GET',
  path: '/trackers/:id/artifacts/groups',
  operationId: 'countGroups',
  summary: 'Count the artifacts of a tracker, or those that match criteria or a query, in groups.',
  description:
    'Counts artifacts by one or two fields, adds numbers up, and follows the counts over time. Everyone who may see the tracker; artifacts that the caller may not read are not counted. Fields that cannot be grouped are refused.',
  access: 'everyone',
  params: { id: idParam<TrackerId>('The tracker.') },
  query: {
    by: Type.String({
      description:
        'One or two, separated by a comma: fields of lists, people and dates, `@status`, `@assigned_to`, `@parent`, `is_open`. ' +
        'A date has a bucket, as in `due:month`: `day`, `week`, `month`, `quarter` or `year`.',
    }),
    sum: Type.Optional(Type.String({ description: 'Up to three number fields to sum in each group.' })),
    query: searchParameters.query,
    expert_query: searchParameters.expert_query,
    report: Type.Optional(
      Type.Integer({ minimum: 1, description: 'A saved report of the tracker, instead of criteria or a query.' }),
    ),
    order: Type.Optional(
      Type.Enum(['count'], {
        description: 'Sorts the largest groups first; in a series, the largest over all steps. Otherwise by key.',
      }),
    ),
    empty: Type.Optional(Type.Boolean({ description: 'Includes list values without artifacts.' })),
    over: Type.Optional(
      Type.Enum([...SERIES_INTERVALS], {
        description: 'The same counts at the end of each of these steps, from history.',
      }),
    ),
    from: Type.Optional(Type.String({ format: MOMENT, description: 'A day or an instant of the first step.' })),
    to: Type.Optional(
      Type.String({ format: MOMENT, description: 'A day or an instant of the last step; now by default.' }),
    ),
  },
  body: Type.Unknown({ title: 'Criteria', description: 'Criteria, as in `query`.' }),
  bodyRules: { isOptional: true, isValidatedByHandler: true, sameAsParameter: 'query' },
  pages: { default: 200, min: 1, max: 1000 },
  answer: Type.Union([GroupCounts, GroupSeries]),
  answerOptions: { isAlreadyCut: true, alternative: Explanation },
  async handle({ context, viewer, language, params, query, body, page }) {
    const audience = { context, db: context.db, viewer, language }
    const { by, sum, order, empty = false, over, from, to } = query
    return retryOnConflict(async () => {
      const access = await findTracker(context, context.db, viewer, params.id)
      const { keys, sums } = readGrouping(access, { tracker: access.tracker, language }, { by, sum })
      const ends = readSteps(context, viewer, query)
      const search = await readCounted(audience, access, query, body)
      if (search.said?.query.isExplained) return { other: await explainSearch(context.db, [access], search) }
      const zone = viewer.time_zone ?? platformZone(context)
      const grouping: Grouping = { keys, sums, isByCount: order === 'count', withEmpty: empty, zone, viewer }
      const said = [search.mark, by, sum, order, empty, over, from, to]
      const mark = hash('sha256', JSON.stringify(said), 'base64url').slice(0, 16)
      const asked = { access: access, search, grouping, mark, page: unmarked(page, mark) }
      const found = await (ends ? overTime(audience, asked, ends) : now(audience, asked))
      return found && { ...found, headers: ignoredHeader(search) }
    })
  },
})

interface CountedArtifacts {
  readonly query?: string
  readonly expert_query?: string
  readonly report?: number
}

/** The search whose hits are counted: that of a report, or of the request. */
async function readCounted(
  audience: Audience,
  access: TrackerAccess,
  { query, expert_query, report }: CountedArtifacts,
  body: unknown,
): Promise<ReadSearch> {
  if (report === undefined) return readSearch(audience, access, { query, expert_query, body })
  const path = 'report'
  if ((query ?? expert_query ?? body) !== undefined) throw new ApiError('parameter_conflict', { path })
  const found = (await findVisibleReports(audience.context, audience.db, access.viewer, [report])).get(report)
  if (found?.access.tracker.id !== access.tracker.id) throw new ApiError('reference_unknown', { path, rule: 'exists' })
  return searchOfReport(audience, found, undefined)
}

interface GroupRequest {
  readonly access: TrackerAccess
  readonly search: ReadSearch
  readonly grouping: Grouping
  readonly mark: string
  readonly page: Pagination
}

/** Undefined if permissions have changed meanwhile. */
async function now(audience: Audience, { access, search, grouping, mark, page }: GroupRequest) {
  const found = await findGroups(audience.db, access, search, grouping, page)
  if (found?.stamp !== access.tracker.stamp) return undefined
  const { rows: groups, next } = cutPage(found.groups, page.limit, placeIn(mark))
  return { body: await showGroups(audience, grouping, { total: found.total, groups }), size: found.size, next }
}

async function overTime(
  audience: Audience,
  { access, search, grouping, mark, page }: GroupRequest,
  ends: readonly Date[],
) {
  // A query as of one moment has no series.
  if (search.said?.query.asOf) throw new ApiError('parameter_conflict', { path: 'over', cause: 'over_and_as_of' })
  const found = await findSeries(audience.db, access, search, grouping, ends, page)
  if (found?.stamp !== access.tracker.stamp) return undefined
  const { rows: groups, next } = cutPage(found.groups, page.limit, placeIn(mark))
  const body = await showSeries(audience, grouping, ends, { totals: found.totals, groups })
  return { body, size: found.size, next }
}

function placeIn(mark: string) {
  return ({ place }: FoundKey): KeysetPosition => [mark, ...place]
}
