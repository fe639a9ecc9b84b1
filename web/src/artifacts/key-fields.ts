import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { mayUpdate } from '../field-types/drafts.ts'
import { fieldType } from '../field-types/field-types.ts'

/** The keys that open the picker of a field of the focused artifact. */
export const PICKER_KEYS = ['s', 'a', 'p', 'd'] as const
export type PickerKey = (typeof PICKER_KEYS)[number]

const DUE_NAMES = ['due_date', 'due', 'due_on', 'deadline', 'end_date']

/** Status, assignee, priority or due date of a tracker; undefined: it has none. */
export function findKeyField({ semantics, fields }: Tracker, key: PickerKey): TrackerField | undefined {
  const byId = (id: number | undefined) => fields.find(({ field_id }) => field_id === id)
  switch (key) {
    case 's':
      return byId(semantics.status?.field_id)
    case 'a':
      return byId(semantics.contributor?.field_id)
    case 'p':
      return fields.find(({ name }) => name === 'priority')
    case 'd':
      return byId(semantics.timeframe?.end_date_field_id) ?? fields.find(({ name }) => DUE_NAMES.includes(name))
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
