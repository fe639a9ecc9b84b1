import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '../query-client.ts'

interface Connection {
  /** The server cannot be reached, and answers from this time or later are shown. */
  readonly keptOn?: Date
}

/** Has no request: what the API client notices is written here. */
export const connectionQuery = queryOptions({
  queryKey: ['connection'],
  queryFn: (): Connection => ({}),
  initialData: (): Connection => ({}),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** Kept answers are shown; the oldest one gives the time. */
export function reportKept(keptOn: Date): void {
  const before = queryClient.getQueryData(connectionQuery.queryKey)?.keptOn
  if (before === undefined || keptOn < before) queryClient.setQueryData(connectionQuery.queryKey, { keptOn })
}

/** The server has answered. If kept answers are shown, all of them are loaded again. */
export function reportAnswer(): void {
  if (queryClient.getQueryData(connectionQuery.queryKey)?.keptOn === undefined) return
  queryClient.setQueryData(connectionQuery.queryKey, {})
  void queryClient.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== 'connection' })
}
