import { queryOptions } from '@tanstack/react-query'
import { Refusal } from '@waypost/sdk/answer'
import { api } from '../api.ts'

const SHOWN = 50

/** The newest entries, and how many of all are unread. */
export const inboxQuery = queryOptions({
  queryKey: ['notifications'],
  refetchInterval: 60_000,
  queryFn: async () => {
    const answer = await api.call('GET /notifications', { query: { limit: SHOWN } })
    if (!answer.ok) throw new Refusal(answer)
    return { entries: answer.body, unread: Number(answer.headers.get('x-notifications-unread') ?? 0) }
  },
})
