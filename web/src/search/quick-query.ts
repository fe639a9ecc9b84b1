import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { QuickHits } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import type { TypedQuery } from './read-typed.ts'

const STALE_MS = 10_000
/** More than are shown, because the palette orders them by their match. */
const MAX_HITS = 20
const ONLY = { all: undefined, actions: 'trackers', people: 'people', ids: 'artifacts' } as const

/** The best matches for what is typed; those of the letter before stay until they come. */
export const quickQuery = ({ mode, query }: TypedQuery, project: number | undefined) =>
  queryOptions({
    queryKey: ['search', 'quick', mode, query, project ?? 0],
    enabled: query !== '',
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }): Promise<QuickHits> => {
      const only = ONLY[mode]
      const given = { query, limit: MAX_HITS, ...(only && { only }), ...(project !== undefined && { project }) }
      return read(api.call('GET /search', { query: given, signal }))
    },
  })
