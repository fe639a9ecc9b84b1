import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSession } from '../accounts/session.ts'
import { api, read } from '../api.ts'

/** The group of the administrators of a project. */
const ADMINISTRATORS = '4'

export const groupsOfMineQuery = queryOptions({
  queryKey: ['users', 'self', 'membership'],
  staleTime: 60_000,
  queryFn: () =>
    read(api.call('GET /users/{id}/membership', { path: { id: 'self' }, query: { scope: 'project', format: 'id' } })),
})

/** Whether the viewer administers the project, or belongs to one of these groups of it; undefined while loading. */
export function useMayAdminister(
  project: number | undefined,
  otherGroups: readonly string[] = [],
): boolean | undefined {
  const { data: session } = useSession()
  const { data: groups } = useQuery({ ...groupsOfMineQuery, enabled: Boolean(session) })
  if (session === null) return false
  if (!session || project === undefined) return undefined
  if (session.user.is_site_admin === true) return true
  return groups && [ADMINISTRATORS, ...otherGroups].some((group) => groups.includes(`${project}_${group}`))
}
