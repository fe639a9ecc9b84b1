import { queryOptions, useQuery } from '@tanstack/react-query'
import { Refusal } from '@waypost/sdk/answer'
import { api } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { storeLanguage } from '../messages/language.ts'
import { deleteDrafts } from '../artifacts/draft-storage.ts'
import { deletePeekMemory } from '../peek/peek-memory.ts'
import { deleteCollapsedParts } from '../shell/collapsed-parts.ts'
import { deleteOpenProjects } from '../shell/open-projects.ts'
import { showRefusal } from '../shell/show-refusal.ts'

/** The signed-in account; null if there is none. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async () => {
    const answer = await api.call('GET /session')
    if (answer.ok) {
      if (storeLanguage(answer.body.user.language ?? null)) location.reload()
      return answer.body
    }
    if (answer.status === 401) return null
    throw new Refusal(answer)
  },
})

export function useSession() {
  return useQuery(sessionQuery)
}

/** Removes all cached data, so that the next person to sign in sees none of it. */
export function clearCaches(): void {
  api.forget()
  queryClient.clear()
}

export async function signOut(): Promise<void> {
  const answer = await api.call('DELETE /session')
  if (!answer.ok && answer.status !== 401) return showRefusal(answer)
  clearCaches()
  deleteDrafts()
  deleteOpenProjects()
  deleteCollapsedParts()
  deletePeekMemory()
  location.assign((answer.ok && endSessionAddress(answer.headers)) || '/sign-in')
}

/** Where the browser signs out at the provider that it signed in by. */
function endSessionAddress(headers: Headers): string | undefined {
  return /^<([^>]+)>; rel="end-session"$/.exec(headers.get('link') ?? '')?.[1]
}
