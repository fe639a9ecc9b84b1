import { hash } from 'node:crypto'
import { Type } from 'typebox'
import { cutPage, type Page, type Place } from '../../platform/http/pages.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { platformZone } from '../../platform/operation/context.ts'
import { untilUnchanged } from '../../platform/operation/until-unchanged.ts'
import { MOMENT } from '../../platform/wire/formats.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { findTracker } from '../../trackers/find-tracker.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { Audience } from '../reading/reading.ts'
import { Explanation, explainSearch } from '../search/explain-search.ts'
import { ignoredHeader } from '../search/ignored-header.ts'
import { unmarked } from '../search/list-found.ts'
import { type ReadSearch, readSearch, searchParameters } from '../search/read-search.ts'
import { findGroups, type FoundKey } from './find-groups.ts'
import { findSeries } from './find-series.ts'
import type { Grouping } from './grouping.ts'
import { readGrouping } from './read-grouping.ts'
import { readSteps, STEPS } from './read-steps.ts'
import { Groups, Series, showGroups, showSeries } from './show-groups.ts'

export const countGroups = readRoute({
  method: 'GET',
  path: '/trackers/:id/artifacts/groups',
  operationId: 'countGroups',
  summary: 'Count the artifacts of a tracker, or those that fit criteria or a query, in groups.',
  access: 'everyone',
  params: { id: idParam<TrackerId>('The tracker.') },
  query: {
    by: Type.String({
      description:
        'One or two, with a comma between them: fields of lists, people and dates, `@status`, `@assigned_to`, `is_open`. ' +
        'A date has a bucket, as in `due:month`: `day`, `week`, `month`, `quarter` or `year`.',
    }),
    sum: Type.Optional(Type.String({ description: 'Up to three number fields that are added up in each group.' })),
    query: searchParameters.query,
    expert_query: searchParameters.expert_query,
    order: Type.Optional(
      Type.Enum(['count'], {
        description:
          'The largest groups first; of a series, those that are largest over all its steps. Else by what they are of.',
      }),
    ),
    empty: Type.Optional(Type.Boolean({ description: 'With the values of lists that no artifact has.' })),
    over: Type.Optional(
      Type.Enum([...STEPS], { description: 'The same counts at the end of each of these steps, from history.' }),
    ),
    from: Type.Optional(Type.String({ format: MOMENT, description: 'A day or an instant of the first step.' })),
    to: Type.Optional(Type.String({ format: MOMENT, description: 'One of the last step; absent: now.' })),
  },
  body: Type.Unknown({ title: 'Criteria', description: 'Criteria, as in `query`.' }),
  bodyOptional: true,
  bodyJudged: 'by_handler',
  pages: { default: 200, min: 1, max: 1000 },
  answer: Type.Union([Groups, Series]),
  answerAsItIs: true,
  otherAnswer: Explanation,
  async handle({ context, viewer, language, params, query, body, page }) {
    const audience = { context, db: context.db, viewer, language }
    const { by, sum, order, empty = false, over, from, to, expert_query } = query
    return untilUnchanged(async () => {
      const sight = await findTracker(context, context.db, viewer, params.id)
      const { keys, sums } = readGrouping(sight, { tracker: sight.tracker, language }, { by, sum })
      const ends = readSteps(context, viewer, query)
      const search = await readSearch(audience, sight, { query: query.query, expert_query, body })
      if (search.said?.query.isExplained) return { other: await explainSearch(context.db, [sight], search) }
      const zone = viewer.time_zone ?? platformZone(context)
      const grouping: Grouping = { keys, sums, isByCount: order === 'count', withEmpty: empty, zone }
      const said = [search.mark, by, sum, order, empty, over, from, to]
      const mark = hash('sha256', JSON.stringify(said), 'base64url').slice(0, 16)
      const asked = { sight, search, grouping, mark, page: unmarked(page, mark) }
      const found = await (ends ? overTime(audience, asked, ends) : now(audience, asked))
      return found && { ...found, headers: ignoredHeader(search) }
    })
  },
})

interface Asked {
  readonly sight: Sight
  readonly search: ReadSearch
  readonly grouping: Grouping
  readonly mark: string
  readonly page: Page
}

/** Undefined: rights have changed meanwhile. */
async function now(audience: Audience, { sight, search, grouping, mark, page }: Asked) {
  const found = await findGroups(audience.db, sight, search, grouping, page)
  if (found?.stamp !== sight.tracker.stamp) return undefined
  const { rows: groups, next } = cutPage(found.groups, page.limit, placeIn(mark))
  return { body: await showGroups(audience, grouping, { total: found.total, groups }), size: found.size, next }
}

async function overTime(audience: Audience, { sight, search, grouping, mark, page }: Asked, ends: readonly Date[]) {
  // A question about one moment has no course.
  if (search.said?.query.asOf) throw new ApiError('parameter_conflict', { path: 'over', cause: 'over_and_as_of' })
  const found = await findSeries(audience.db, sight, search, grouping, ends, page)
  if (found?.stamp !== sight.tracker.stamp) return undefined
  const { rows: groups, next } = cutPage(found.groups, page.limit, placeIn(mark))
  const body = await showSeries(audience, grouping, ends, { totals: found.totals, groups })
  return { body, size: found.size, next }
}

function placeIn(mark: string) {
  return ({ place }: FoundKey): Place => [mark, ...place]
}
