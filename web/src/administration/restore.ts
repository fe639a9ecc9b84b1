import type { Answer } from '@waypost/sdk/answer'
import type { TrashEntry } from '@waypost/sdk/api'
import { api } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'
import { showRefusal } from '../shell/show-refusal.ts'

/** Restores an entry from the trash. `name_taken`: its name is in use, so it needs another one. */
export async function restore(entry: TrashEntry, name?: string): Promise<'restored' | 'name_taken' | 'refused'> {
  const answer = await ask(entry, name)
  if (!answer.ok && (answer.reason === 'repository_name_taken' || answer.reason === 'name_taken')) return 'name_taken'
  if (!answer.ok) showRefusal(answer)
  // A restore that takes longer than a minute continues as a job.
  else showToast(text(answer.status === 202 ? 'trash.restoring' : 'trash.restored', { label: name ?? entry.label }))
  await queryClient.invalidateQueries({ queryKey: ['trash'] })
  return answer.ok ? 'restored' : 'refused'
}

async function ask({ type, id }: TrashEntry, name: string | undefined): Promise<Answer<unknown>> {
  const path = { id }
  if (type === 'artifact') return api.call('POST /artifacts/{id}/restore', { path })
  if (type === 'tracker')
    return api.call('POST /trackers/{id}/restore', { path, ...(name !== undefined && { body: { item_name: name } }) })
  if (type === 'project') return api.call('POST /projects/{id}/restoration', { path })
  return api.call('POST /svn/{id}/restore', { path, ...(name !== undefined && { body: { name } }) })
}
