import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../api.ts'

const FEW = 20

/** Those that I am a member of, for the navigation. */
export const myProjectsQuery = queryOptions({
  queryKey: ['projects', 'mine'],
  staleTime: 60_000,
  queryFn: () => read(api.call('GET /projects', { query: { query: '{"is_member_of":true}', limit: FEW } })),
})
