import { queryOptions } from '@tanstack/react-query'
import type { GroupCounts, GroupCountSeries } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import type { ChartSpan } from './charts-search.ts'

/** Period and interval of each span. */
const STEPS = {
  month: { over: 'day', days: 30 },
  quarter: { over: 'day', days: 90 },
  year: { over: 'week', days: 364 },
} as const satisfies Record<ChartSpan, object>

const DAY_MS = 24 * 60 * 60 * 1000
/** Counts come from the history and change rarely. */
const COUNTS_STALE_MS = 60_000

export interface CountQuestion {
  readonly by: string
  readonly sum?: string
  readonly expert_query?: string
  /** A saved report, instead of a query. */
  readonly report?: number
  readonly order?: 'count'
}

export function timeSeriesParameters(question: CountQuestion, span: ChartSpan) {
  const { over, days } = STEPS[span]
  return { ...question, over, from: new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10), limit: 100 }
}

/** The counts at the end of each interval up to now. */
export const timeSeriesQuery = (tracker: number, question: CountQuestion, span: ChartSpan) =>
  queryOptions({
    queryKey: ['trackers', tracker, 'course', question, span],
    staleTime: COUNTS_STALE_MS,
    queryFn: async (): Promise<GroupCountSeries> => {
      const query = timeSeriesParameters(question, span)
      const body = await read(api.call('GET /trackers/{id}/artifacts/groups', { path: { id: tracker }, query }))
      if (!('series' in body)) throw new Error('The counts came without their course.')
      return body
    },
  })

export const countsQuery = (tracker: number, question: CountQuestion) =>
  queryOptions({
    queryKey: ['trackers', tracker, 'counts', question],
    staleTime: COUNTS_STALE_MS,
    queryFn: async (): Promise<GroupCounts> => {
      const query = { ...question, limit: 100 }
      const body = await read(api.call('GET /trackers/{id}/artifacts/groups', { path: { id: tracker }, query }))
      if (!('groups' in body)) throw new Error('The counts came without their groups.')
      return body
    },
  })
