import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../api.ts'
import { useSession } from '../accounts/session.ts'

/** `approval`: a site administrator approves new projects. Undefined while the session loads. */
export type ProjectCreation = 'direct' | 'approval' | 'denied'

/** Whether the viewer may create projects. The server decides; this decides what pages offer. */
export function useProjectCreation(): ProjectCreation | undefined {
  const { data: session } = useSession()
  if (session === undefined) return undefined
  if (session === null) return 'denied'
  const { user, settings } = session
  if (user.is_site_admin === true) return 'direct'
  if (user.status === 'R' || settings.project_creation === 'site_admins') return 'denied'
  return settings.project_creation === 'approval' ? 'approval' : 'direct'
}

export const projectTemplatesQuery = queryOptions({
  queryKey: ['projects', 'templates'],
  staleTime: 60_000,
  queryFn: () => read(api.call('GET /projects', { query: { query: '{"is_template":true}', limit: 50 } })),
})
