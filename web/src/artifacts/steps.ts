import type { Artifact, Tracker, TrackerField } from '@waypost/sdk/api'
import { fieldValue } from './artifact-queries.ts'
import { type ChoiceKey, listChoices, isWorkflowField, offeredChoices } from './choices.ts'
import { mayUpdate } from '../field-types/drafts.ts'
import { storedKeys } from '../field-types/parts/list-keys.ts'
import { text } from './messages.ts'

/** The reason why the form does not allow this step; undefined: none is known. */
export function whyNotStep(
  tracker: Tracker,
  field: TrackerField,
  artifact: Artifact,
  to: ChoiceKey | undefined,
): string | undefined {
  const stored = storedKeys(fieldValue(artifact, field.field_id))
  if (to === stored[0]) return undefined
  if (!mayUpdate(field)) return text('step.read_only', { field: field.label })
  const isRuled = isWorkflowField(tracker, field)
  if (to === undefined) return isRuled || field.required ? text('step.never_empty', { field: field.label }) : undefined
  const chosen = (id: number) => storedKeys(fieldValue(artifact, id))
  const offered = offeredChoices({ tracker, field, stored, chosen }).filter(({ key }) => key !== stored[0])
  if (offered.some(({ key }) => key === to)) return undefined
  const allowed =
    offered.length > 0
      ? text('step.allowed', { values: offered.map(({ label }) => label).join(', ') })
      : text('step.nowhere')
  if (!isRuled) return `${text('step.not_offered', { to: labelIn(field, to) })} ${allowed}`
  return `${text('step.no_step', { from: labelIn(field, stored[0]), to: labelIn(field, to) })} ${allowed}`
}

function labelIn(field: TrackerField, key: ChoiceKey | undefined): string {
  return listChoices(field).find((choice) => choice.key === key)?.label ?? text('step.none')
}
