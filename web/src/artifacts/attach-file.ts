import { api } from '../api.ts'
import { showToast } from '../design/toasts.ts'
import { invalidateArtifact } from './artifact-queries.ts'
import { showRefusal } from '../shell/show-refusal.ts'

/** Adds or removes one file independently of the others, so no version is required. */
export async function attachFile(
  id: number,
  fieldId: number,
  what: { add: number[] } | { remove: number[] },
  message: string,
  undo?: () => void,
): Promise<void> {
  const body = { values: [{ field_id: fieldId, ...what }] }
  const answer = await api.call('PUT /artifacts/{id}', { path: { id }, body, ifMatch: '*' })
  if (answer.ok) showToast(message, undo ? { undo } : {})
  else showRefusal(answer)
  await invalidateArtifact(id)
}
