import type { TrackerField, AnyValue as Value, AnyValueItem as ValueItem } from '@waypost/sdk/api'
import { hasUpdatePermission, type ValueDraft } from './field-type.ts'
import { fieldType } from './field-types.ts'

/** True if values of this type are entered by people. `permissions` says by whom. */
export function isEditable(field: TrackerField): boolean {
  return fieldType(field).editing !== undefined
}

export function mayUpdate(field: TrackerField): boolean {
  return isEditable(field) && hasUpdatePermission(field)
}

/** True if the page of an artifact opens an editor for this field. */
export function opensEditor(field: TrackerField): boolean {
  return mayUpdate(field) && !fieldType(field).editing?.isEditedInPlace
}

/** Converts a stored value to the form of a write. Undefined: nothing is stored. */
export function toDraft(field: TrackerField, value: Value | undefined): ValueDraft {
  const { editing } = fieldType(field)
  return editing ? editing.toDraft(field, value) : { field_id: field.field_id, value: value?.['value'] }
}

/** The default value of a field in a new artifact. */
export function defaultDraft(field: TrackerField): ValueDraft {
  return fieldType(field).editing?.defaultDraft(field) ?? toDraft(field, undefined)
}

/** The value to show while the write is running. */
export function optimisticValue(field: TrackerField, draft: ValueDraft, stored?: Value): Value | undefined {
  const { editing } = fieldType(field)
  return editing ? editing.optimistic(field, draft, stored) : stored
}

/** The smallest write of a draft. */
export function toValueItem(field: TrackerField, draft: ValueDraft, stored: ValueDraft): ValueItem {
  return fieldType(field).editing?.toItem?.(draft, stored) ?? draft
}

export function isSameDraft(one: ValueDraft, other: ValueDraft): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

export function isEmptyDraft(field: TrackerField, draft: ValueDraft): boolean {
  return isSameDraft(draft, toDraft(field, undefined))
}

/** List values and links are unordered, so they are sorted before they are compared. */
function sorted(draft: ValueDraft): unknown {
  const { bind_value_ids: ids, all_links: links } = draft
  if (Array.isArray(ids)) return { ...draft, bind_value_ids: ids.map(String).toSorted() }
  if (Array.isArray(links)) return { ...draft, all_links: links.map((link) => JSON.stringify(link)).toSorted() }
  return draft
}
