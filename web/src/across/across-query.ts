import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import { api, read } from '../api.ts'

const PAGE_SIZE = 50

/** The parameter of the operation. */
export function acrossParameter(tql_query: string): string {
  return JSON.stringify({ tql_query })
}

/** The rows of a query over many trackers, page by page. */
export const acrossQuery = (tql: string) =>
  infiniteQueryOptions({
    queryKey: ['across', tql],
    placeholderData: keepPreviousData,
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset, signal }) => {
      const query = { query: acrossParameter(tql), limit: PAGE_SIZE, offset }
      const answer = await api.call('GET /crosstracker_query/content', { query, signal })
      if (!answer.ok) throw new Refusal(answer)
      // `EXPLAIN` returns a plan instead of rows.
      const { selected, artifacts } = 'selected' in answer.body ? answer.body : { selected: [], artifacts: [] }
      return { selected, artifacts, offset, size: sizeOf(answer) }
    },
    getNextPageParam: ({ offset, size }) => (offset + PAGE_SIZE < size ? offset + PAGE_SIZE : undefined),
  })

/** The trackers of a project with the names that queries use. */
export const namedTrackersQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'trackers', 'named'],
    staleTime: 60_000,
    queryFn: async () => {
      const query = { fields: 'id,label,item_name', limit: PAGE_SIZE }
      const found = await read(api.call('GET /projects/{id}/trackers', { path: { id: project }, query }))
      return found.flatMap((tracker) => ('item_name' in tracker ? [tracker] : []))
    },
  })
