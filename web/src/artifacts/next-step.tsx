import { Button } from '../design/button.tsx'
import { storedKeys } from '../field-types/parts/list-keys.ts'
import { statusOf } from '../field-types/status.tsx'
import type { ValueDraft } from '../field-types/field-type.ts'
import { type OpenArtifact, fieldValue } from './artifact-queries.ts'
import { type ListChoice, listChoices, offeredChoices } from './choices.ts'
import { findKeyField, isPickable } from './key-fields.ts'
import { text } from './messages.ts'

interface Props {
  readonly open: OpenArtifact
  readonly onPick: (draft: ValueDraft) => void
}

/** Sets the next status; absent if there is none, or if the viewer may not set it. */
export function NextStep({ open, onPick }: Props) {
  const field = findKeyField(open.tracker, 's')
  const next = nextStatus(open)
  if (!field || !next) return null
  return (
    <Button kind="primary" onPress={() => onPick({ field_id: field.field_id, bind_value_ids: [next.key] })}>
      {text('artifact.next_step', { status: next.label })}
    </Button>
  )
}

/** The next status in the order of the list that the workflow allows. Closed artifacts, and giving up, have none. */
export function nextStatus({ artifact, tracker }: OpenArtifact): ListChoice | undefined {
  const field = findKeyField(tracker, 's')
  if (!field || !artifact.is_open || !isPickable(field)) return undefined
  const stored = storedKeys(fieldValue(artifact, field.field_id))
  const chosen = (id: number) => storedKeys(fieldValue(artifact, id))
  const order = listChoices(field).map(({ key }) => key)
  const now = order.findIndex((key) => stored.includes(key))
  return offeredChoices({ tracker, field, stored, chosen }).find(
    ({ key }) => order.indexOf(key) > now && statusOf(tracker)?.progressOf(key) !== 'dropped',
  )
}
