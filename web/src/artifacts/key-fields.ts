import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { mayUpdate } from '../field-types/drafts.ts'
import { dueField } from '../field-types/due.tsx'
import { fieldType } from '../field-types/field-types.ts'

/** The keys that open the picker of a field of the focused artifact. */
export const PICKER_KEYS = ['s', 'a', 'p', 'd'] as const
export type PickerKey = (typeof PICKER_KEYS)[number]

/** Status, assignee, priority or due date of a tracker; undefined: it has none. */
export function findKeyField(tracker: Tracker, key: PickerKey): TrackerField | undefined {
  const { semantics, fields } = tracker
  const byId = (id: number | undefined) => fields.find(({ field_id }) => field_id === id)
  switch (key) {
    case 's':
      return byId(semantics.status?.field_id)
    case 'a':
      return byId(semantics.contributor?.field_id)
    case 'p':
      return fields.find(({ name }) => name === 'priority')
    case 'd':
      return dueField(tracker)
    default:
      return key satisfies never
  }
}

/** True if a popover can change the field. An instant needs a time, which a list of days has not. */
export function isPickable(field: TrackerField): boolean {
  return fieldType(field).picker !== undefined && field.is_time_displayed !== true && mayUpdate(field)
}

export function isPickerKey(key: string): key is PickerKey {
  return PICKER_KEYS.some((each) => each === key)
}
