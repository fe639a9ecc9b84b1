import { useQuery } from '@tanstack/react-query'
import type { Failure } from '@waypost/sdk/answer'
import type { Problem } from '@waypost/sdk/api'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'

export type QueryFault = Pick<Problem, 'message' | 'position'>

/** Validate after typing has paused. */
const DEBOUNCE_MS = 400

/** The errors that the server finds in a query while it is typed. */
export function useQueryFaults(tracker: number, draft: string): readonly QueryFault[] {
  const [asked, setAsked] = useState(draft)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(draft), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [draft])
  const { data } = useQuery({
    queryKey: ['trackers', tracker, 'check', asked],
    enabled: asked !== '' && asked === draft,
    queryFn: async () => {
      const query = { expert_query: asked, explain: true }
      const answer = await api.call('GET /trackers/{id}/artifacts', { path: { id: tracker }, query })
      return answer.ok ? [] : queryFaults(answer)
    },
  })
  return asked === draft ? (data ?? []) : []
}

/** True if the refusal is about the query. */
export function isOfQuery(failure: Failure | undefined): boolean {
  return failure?.status === 400
}

export function queryFaults(failure: Failure | undefined): readonly QueryFault[] {
  if (!failure || !isOfQuery(failure)) return []
  const { all, position } = failure.details
  return all && all.length > 0 ? all : [{ message: failure.message, ...(position !== undefined && { position }) }]
}
