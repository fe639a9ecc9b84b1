import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import { api } from '../api.ts'
import { type SearchAddress, toSearchParameters } from './search-address.ts'

const PAGE_SIZE = 20
const STALE_MS = 10_000

/** The artifacts and facets of the address; those of the address before stay until they come. */
export const foundQuery = (address: SearchAddress) => {
  const parameters = toSearchParameters(address)
  return infiniteQueryOptions({
    queryKey: ['search', 'artifacts', parameters],
    enabled: parameters.query !== '',
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset, signal }) => {
      const query = { ...parameters, limit: PAGE_SIZE, offset }
      const answer = await api.call('GET /search/artifacts', { query, signal })
      if (!answer.ok) throw new Refusal(answer)
      return { ...answer.body, offset, size: sizeOf(answer) }
    },
    getNextPageParam: ({ offset, size }) => (offset + PAGE_SIZE < size ? offset + PAGE_SIZE : undefined),
  })
}
