import type { AnyValue as Value } from '@waypost/sdk/api'
import type { ChoiceKey } from '../../artifacts/choices.ts'
import type { ValueDraft } from '../field-type.ts'

const NONE_VALUE_ID = 100

/** The keys that are selected in a list; empty also for the value "None". */
export function storedKeys(value: Value | undefined): readonly ChoiceKey[] {
  return keysIn(value?.['bind_value_ids']).filter((key) => key !== NONE_VALUE_ID)
}

export function draftKeys(draft: ValueDraft | undefined): readonly ChoiceKey[] {
  return keysIn(draft?.bind_value_ids)
}

/** Drafts are also restored from storage. */
function keysIn(given: unknown): readonly ChoiceKey[] {
  return Array.isArray(given) ? given.filter((key) => typeof key === 'number' || typeof key === 'string') : []
}
