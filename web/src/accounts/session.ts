import { queryOptions, useQuery } from '@tanstack/react-query'
import { Refusal } from '@waypost/sdk/answer'
import { api } from '../api.ts'
import type { SessionWithUser } from '@waypost/sdk/api'
import { afterPaint } from '../design/after-paint.ts'
import { queryClient } from '../query-client.ts'
import { storeLanguage } from '../messages/language.ts'
import { deleteDrafts } from '../artifacts/draft-storage.ts'
import { deletePeekMemory } from '../peek/peek-memory.ts'
import { deleteCollapsedParts } from '../shell/collapsed-parts.ts'
import { deleteOpenProjects } from '../shell/open-projects.ts'
import { deleteKeptAnswers, keepAnswersFor, keepPages } from '../offline/kept-answers.ts'
import { showRefusal } from '../shell/show-refusal.ts'

/** The signed-in account; null if there is none. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async () => {
    const answer = await api.call('GET /session')
    if (answer.ok) {
      if (storeLanguage(answer.body.user.language ?? null)) location.reload()
      await keepFor(answer.body)
      return answer.body
    }
    if (answer.status === 401) {
      await deleteKeptAnswers()
      return null
    }
    throw new Refusal(answer)
  },
})

export function useSession() {
  return useQuery(sessionQuery)
}

/** Removes all cached data, so that the next person to sign in sees none of it. */
function clearCaches(): void {
  api.forget()
  queryClient.clear()
}

/** Starts the session of a new sign-in: deletes cached data, which can be those of another account. */
export async function startSession(session: SessionWithUser): Promise<void> {
  clearCaches()
  await deleteKeptAnswers()
  await keepFor(session)
  queryClient.setQueryData(sessionQuery.queryKey, session)
}

async function keepFor({ user: { id } }: SessionWithUser): Promise<void> {
  if (id === null) return
  await keepAnswersFor(id)
  afterPaint(() => void keepPages().catch(() => undefined)) // Without it, pages need a connection.
}

export async function signOut(): Promise<void> {
  // Even if the server cannot be reached: nothing is left on the device.
  await deleteKeptAnswers()
  const answer = await api.call('DELETE /session')
  if (!answer.ok && answer.status !== 401) return showRefusal(answer)
  clearCaches()
  // An answer that was on its way may have begun to keep again.
  await deleteKeptAnswers()
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
