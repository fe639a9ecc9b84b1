import { queryOptions } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import { api } from '../api.ts'

const REFRESH_INTERVAL_MS = 60_000

/** The number of unread threads of the inbox; reads of the inbox invalidate it as well. */
export const unreadQuery = queryOptions({
  queryKey: ['notifications', 'unread'],
  staleTime: REFRESH_INTERVAL_MS,
  refetchInterval: REFRESH_INTERVAL_MS,
  queryFn: async () => {
    const answer = await api.call('GET /notifications/threads', { query: { limit: 1 } })
    if (!answer.ok) throw new Refusal(answer)
    return Number(answer.headers.get('x-notifications-unread') ?? 0)
  },
})

/** The number of open artifacts that are assigned to the viewer. */
export const assignedCountQuery = queryOptions({
  queryKey: ['artifacts', 'assigned', 'count'],
  staleTime: REFRESH_INTERVAL_MS,
  queryFn: async () => {
    const query = { query: '{"assigned_to":true}', limit: 1 }
    const answer = await api.call('GET /users/{id}/artifacts', { path: { id: 'self' }, query })
    if (!answer.ok) throw new Refusal(answer)
    return sizeOf(answer)
  },
})
