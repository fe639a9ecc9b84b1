import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../api.ts'

const MAX_PROJECTS = 20

/** The projects of the signed-in person, for the navigation. */
export const myProjectsQuery = queryOptions({
  queryKey: ['projects', 'mine'],
  staleTime: 60_000,
  queryFn: () => read(api.call('GET /projects', { query: { query: '{"is_member_of":true}', limit: MAX_PROJECTS } })),
})

export const projectQuery = (shortname: string) =>
  queryOptions({
    queryKey: ['projects', shortname],
    queryFn: async () => {
      const query = JSON.stringify({ shortname })
      const [project] = await read(api.call('GET /projects', { query: { query } }))
      return project ?? null
    },
  })

export const trackersQuery = (project: number) =>
  queryOptions({
    queryKey: ['projects', project, 'trackers'],
    staleTime: 60_000,
    queryFn: () =>
      Array.fromAsync(
        api.list('GET /projects/{id}/trackers', {
          path: { id: project },
          query: { representation: 'minimal', limit: 50 },
        }),
      ),
  })

/** How many artifacts of a tracker are open, and how many there are. */
export const openCountsQuery = (tracker: number) =>
  queryOptions({
    queryKey: ['trackers', tracker, 'open'],
    staleTime: 60_000,
    queryFn: async () => {
      const body = await read(
        api.call('GET /trackers/{id}/artifacts/groups', { path: { id: tracker }, query: { by: 'is_open' } }),
      )
      if (!('groups' in body)) return null
      const open = body.groups.find(({ key: [isOpen] }) => isOpen === true)?.count ?? 0
      return { open, total: body.total }
    },
  })
