import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../api.ts'

export const trackerQuery = (id: number) =>
  queryOptions({
    queryKey: ['trackers', id],
    queryFn: () => read(api.call('GET /trackers/{id}', { path: { id } })),
  })

/** For the breadcrumb: a tracker has the id of its project, but the address needs its short name. */
export const projectOfTrackerQuery = (id: number) =>
  queryOptions({
    queryKey: ['projects', id, 'one'],
    staleTime: 60_000,
    queryFn: () => read(api.call('GET /projects/{id}', { path: { id } })),
  })
