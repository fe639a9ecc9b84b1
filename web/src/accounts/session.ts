import { queryOptions, useQuery } from '@tanstack/react-query'
import { Refusal } from '@waypost/sdk/answer'
import { api } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { forgetDrafts } from '../artifacts/kept-drafts.ts'
import { tellRefusal } from '../shell/tell-refusal.ts'

/** Who is here; null: nobody has signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async () => {
    const answer = await api.call('GET /session')
    if (answer.ok) return answer.body
    if (answer.status === 401) return null
    throw new Refusal(answer)
  },
})

export function useSession() {
  return useQuery(sessionQuery)
}

/** Nothing that one person has read stays for the next. */
export function forgetEverything(): void {
  api.forget()
  queryClient.clear()
}

export async function signOut(): Promise<void> {
  const answer = await api.call('DELETE /session')
  if (!answer.ok && answer.status !== 401) return tellRefusal(answer)
  forgetEverything()
  forgetDrafts()
  location.assign('/sign-in')
}
