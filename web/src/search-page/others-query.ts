import { queryOptions } from '@tanstack/react-query'
import type { QuickHits } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import type { OtherKind, SearchAddress } from './search-address.ts'

export const MAX_OTHERS = 20
const STALE_MS = 30_000

/** The newest files or commits with the words of the address, in its project. */
export const othersQuery = ({ q = '', project }: SearchAddress, only: OtherKind) =>
  queryOptions({
    queryKey: ['search', only, q, project ?? 0],
    enabled: q !== '',
    staleTime: STALE_MS,
    queryFn: ({ signal }): Promise<QuickHits> => {
      const query = { query: q, only, limit: MAX_OTHERS, ...(project !== undefined && { project }) }
      return read(api.call('GET /search', { query, signal }))
    },
  })
