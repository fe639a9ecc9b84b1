import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { fieldType } from '../field-types/field-types.ts'

/** The fields that a chart can count by: lists, of values or of people. */
export function chartFields({ fields }: Tracker): readonly TrackerField[] {
  return fields.filter((field) => fieldType(field).list !== undefined)
}

/** The field that a chart counts by. */
export function findChartField({ fields, semantics }: Tracker, by: string): TrackerField | undefined {
  const meant = { '@status': semantics.status, '@assigned_to': semantics.contributor }[by]
  if (by.startsWith('@')) return fields.find(({ field_id }) => field_id === meant?.field_id)
  return fields.find(({ field_id, name }) => String(field_id) === by || name === by)
}
