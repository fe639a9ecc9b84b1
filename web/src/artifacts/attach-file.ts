import { api } from '../api.ts'
import { tell } from '../shell/toasts.ts'
import { lookAgain } from './artifact-queries.ts'
import { tellRefusal } from '../shell/tell-refusal.ts'

/** One file more or less, whatever others do with the rest: no version has to be named. */
export async function attachFile(
  id: number,
  fieldId: number,
  what: { add: number[] } | { remove: number[] },
  message: string,
  undo?: () => void,
): Promise<void> {
  const body = { values: [{ field_id: fieldId, ...what }] }
  const answer = await api.call('PUT /artifacts/{id}', { path: { id }, body, ifMatch: '*' })
  if (answer.ok) tell(message, undo ? { undo } : {})
  else tellRefusal(answer)
  await lookAgain(id)
}
