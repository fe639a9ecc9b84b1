import { queryOptions } from '@tanstack/react-query'
import type { GroupCounts, GroupCountSeries } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import type { Span } from './charts-search.ts'

/** How far back, and in which steps. */
const STEPS = {
  month: { over: 'day', days: 30 },
  quarter: { over: 'day', days: 90 },
  year: { over: 'week', days: 364 },
} as const satisfies Record<Span, object>

const DAY = 24 * 60 * 60 * 1000
/** They are counted from history, which does not change often. */
const FRESH = 60_000

export interface Question {
  readonly by: string
  readonly sum?: string
  readonly expert_query?: string
  readonly order?: 'count'
}

export function courseOf(question: Question, span: Span) {
  const { over, days } = STEPS[span]
  return { ...question, over, from: new Date(Date.now() - days * DAY).toISOString().slice(0, 10), limit: 100 }
}

/** The counts at the end of each step until now. */
export const courseQuery = (tracker: number, question: Question, span: Span) =>
  queryOptions({
    queryKey: ['trackers', tracker, 'course', question, span],
    staleTime: FRESH,
    queryFn: async (): Promise<GroupCountSeries> => {
      const query = courseOf(question, span)
      const body = await read(api.call('GET /trackers/{id}/artifacts/groups', { path: { id: tracker }, query }))
      if (!('series' in body)) throw new Error('The counts came without their course.')
      return body
    },
  })

export const countsQuery = (tracker: number, question: Question) =>
  queryOptions({
    queryKey: ['trackers', tracker, 'counts', question],
    staleTime: FRESH,
    queryFn: async (): Promise<GroupCounts> => {
      const query = { ...question, limit: 100 }
      const body = await read(api.call('GET /trackers/{id}/artifacts/groups', { path: { id: tracker }, query }))
      if (!('groups' in body)) throw new Error('The counts came without their groups.')
      return body
    },
  })
