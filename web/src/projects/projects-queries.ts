import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../api.ts'

const MAX_PROJECTS = 20

/** The projects of the signed-in person, for the navigation. */
export const myProjectsQuery = queryOptions({
  queryKey: ['projects', 'mine'],
  staleTime: 60_000,
  queryFn: () => read(api.call('GET /projects', { query: { query: '{"is_member_of":true}', limit: MAX_PROJECTS } })),
})
