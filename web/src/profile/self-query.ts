import { queryOptions } from '@tanstack/react-query'
import type { Failure } from '@waypost/sdk/answer'
import { api, read } from '../api.ts'
import { text } from '../messages/text.ts'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'

/** The profile of the signed-in person. */
export const selfQuery = queryOptions({
  queryKey: ['users', 'self'],
  queryFn: () => read(api.call('GET /users/{id}', { path: { id: 'self' } })),
})

interface ProfileChanges {
  readonly real_name?: string
  readonly email?: string
  readonly time_zone?: string | null
}

/** Changes the profile; the message offers to bring the earlier values back. Returns the refusal, if any. */
export async function saveProfile(changes: ProfileChanges, earlier?: ProfileChanges): Promise<Failure | undefined> {
  const answer = await api.call('PATCH /users/{id}', { path: { id: 'self' }, body: { ...changes } })
  if (!answer.ok) return answer
  showToast(text('saved'), earlier ? { undo: () => void undo(earlier) } : {})
  await refreshAllQueries()
  return undefined
}

async function undo(earlier: ProfileChanges): Promise<void> {
  const refused = await saveProfile(earlier)
  if (refused) showRefusal(refused)
}

/** Most responses contain people. */
export function refreshAllQueries(): Promise<void> {
  return queryClient.invalidateQueries()
}
