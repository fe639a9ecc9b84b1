import type { OpenArtifact } from '../artifacts/artifact-queries.ts'
import { fieldValue } from '../artifacts/artifact-queries.ts'
import { listChoices } from '../artifacts/choices.ts'
import { findKeyField, isPickable } from '../artifacts/key-fields.ts'
import { baseOf, type SaveResult, saveArtifact } from '../artifacts/save-artifact.ts'
import { refusalText } from '../design/refusal.tsx'
import { fieldType } from '../field-types/field-types.ts'
import { isAllPeople } from '../field-types/parts/edit-list.tsx'
import { storedKeys } from '../field-types/parts/list-keys.ts'
import { showToast } from '../design/toasts.ts'
import { text } from '../artifacts/messages.ts'

/** True if the artifact has an assignee field that takes this person. */
export function mayAssign({ tracker }: OpenArtifact, person: number): boolean {
  const field = findKeyField(tracker, 'a')
  if (!field || !isPickable(field)) return false
  return isAllPeople(field) || listChoices(field).some(({ key, isHidden }) => key === person && !isHidden)
}

/** Assigns the artifact; a list of several assignees keeps the others. */
export async function assignTo(open: OpenArtifact, person: number): Promise<void> {
  const field = findKeyField(open.tracker, 'a')
  if (!field) return
  const others = fieldType(field).list === 'many' ? storedKeys(fieldValue(open.artifact, field.field_id)) : []
  const draft = { field_id: field.field_id, bind_value_ids: [...new Set([...others, person])] }
  tell(await saveArtifact(open.artifact.id, baseOf(open), [draft], ''))
}

function tell(saved: SaveResult): void {
  if (saved.kind === 'refused') return showToast(refusalText(saved.failure), { isTrouble: true })
  if (saved.kind === 'clash') return showToast(text('artifact.changed_since'), { isTrouble: true })
  const { undo } = saved
  showToast(text('saved'), undo ? { undo: () => void undo().then(tellUndone) } : {})
}

function tellUndone(saved: SaveResult): void {
  if (saved.kind === 'saved') showToast(text('artifact.taken_back'))
  else tell(saved)
}
