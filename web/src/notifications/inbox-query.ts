import { queryOptions } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import type { NotificationThread } from '@waypost/sdk/api'
import { api } from '../api.ts'
import type { InboxFilter } from './inbox-search.ts'

export interface InboxThreads {
  readonly threads: readonly NotificationThread[]
  /** The number of threads that match the filter. */
  readonly size: number
  /** The number of unread threads, whatever the filter. */
  readonly unread: number
}

/** The query parameters of a filter, which stand in the API call as well. */
export const FILTER_PARAMETERS = {
  all: {},
  unread: { unread: true },
  mentions: { why: 'mention' },
  assigned: { why: 'assigned' },
  watched: { why: 'watch' },
  snoozed: { snoozed: true },
} as const satisfies Record<InboxFilter, object>

/** The prefix of all lists of threads, with any filter. */
export const THREADS_KEY = ['notifications', 'threads'] as const

/** The newest threads, and the number of unread ones. */
export function inboxQuery(filter: InboxFilter, project: number | undefined, limit: number) {
  return queryOptions({
    queryKey: [...THREADS_KEY, filter, project ?? null, limit],
    refetchInterval: 60_000,
    queryFn: async (): Promise<InboxThreads> => {
      const query = { ...FILTER_PARAMETERS[filter], ...(project !== undefined && { project }), limit }
      const answer = await api.call('GET /notifications/threads', { query })
      if (!answer.ok) throw new Refusal(answer)
      const unread = Number(answer.headers.get('x-notifications-unread') ?? 0)
      return { threads: answer.body, size: sizeOf(answer), unread }
    },
  })
}
