import type { Answer } from '@waypost/sdk/answer'
import type { GroupCounts } from '@waypost/sdk/api'
import { api } from '../../api.ts'

interface CountsQuery {
  readonly by: string
  readonly sum?: string
  readonly expert_query?: string
  readonly order?: 'count'
  readonly limit: number
}

/** Counts the artifacts of a tracker in groups. */
export async function readCounts(
  tracker: number,
  query: CountsQuery,
  signal: AbortSignal,
): Promise<Answer<GroupCounts>> {
  const answer = await api.call('GET /trackers/{id}/artifacts/groups', { path: { id: tracker }, query, signal })
  if (!answer.ok) return answer
  const { body } = answer
  // `EXPLAIN` returns a plan instead of counts.
  return { ...answer, body: 'groups' in body ? body : { by: [], total: 0, groups: [] } }
}
