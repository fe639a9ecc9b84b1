import { Type } from 'typebox'
import { type FieldType, ValueFault } from '../src/trackers/fields/field-type.ts'
import { NO_PROPERTIES } from '../src/trackers/fields/properties.ts'
import { migrateToSameType } from '../src/trackers/fields/same-type.ts'

const TYPED = /^(?:(\d{1,5})h)? ?(?:(\d{1,5})m)?$/

/** A type that the platform does not have: how long something takes, in minutes. Written as `1h 30m`. */
export const durationField: FieldType = {
  type: 'duration',
  kind: 'field',
  properties: NO_PROPERTIES,
  isWritable: true,
  canBeRequired: true,

  read: (stored) => (stored === undefined ? undefined : { value: spelled(stored), minutes: stored }),
  readSchema: { value: Type.String(), minutes: Type.Union([Type.Integer(), Type.Null()]) },
  async write({ value }) {
    if (value === '') return null
    const [, hours, minutes] = (typeof value === 'string' && TYPED.exec(value)) || []
    if (hours === undefined && minutes === undefined)
      throw new ValueFault('value_invalid', { path: 'value', rule: 'format', cause: 'not_a_number' })
    return Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  },
  isEmpty: (stored) => typeof stored !== 'number',
  isSame: (stored, given) => (stored ?? null) === given,
  index: (stored) => (typeof stored === 'number' ? { numbers: [stored] } : {}),
  flat: (stored) => (typeof stored === 'number' ? stored : null),
  migrate: migrateToSameType,
}

function spelled(stored: unknown): string {
  if (typeof stored !== 'number') return ''
  return `${Math.floor(stored / 60)}h ${stored % 60}m`
}
