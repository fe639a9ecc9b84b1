import { Type } from 'typebox'
import { durationSearch } from '../../search/duration-search.ts'
import { type FieldType, ValueFault } from '../field-type.ts'
import { migrateToSameType } from '../same-type.ts'
import { formatDuration, parseDuration } from './duration-text.ts'

/** 99,999 hours and 59 minutes. */
const MAX_MINUTES = 5_999_999

/** A length of time in whole minutes, entered and shown as `2h 30m`. */
export const durationField: FieldType = {
  type: 'duration',
  kind: 'field',
  schemaName: 'Duration',
  properties: Type.Object(
    { default_value: Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()])) },
    { additionalProperties: false },
  ),
  isWritable: true,
  canBeRequired: true,
  isAlphanumeric: true,
  isAmount: true,
  unit: 'minutes',
  column: 'numeric',
  action: { kind: 'number', fits: isMinutes },

  readDefault: (given) => minutesOf(given ?? null, 'default'),
  writeDefault: (element) => textOf(element.default),
  describe(element) {
    const default_value = textOf(element.default)
    return { default_value, specific_properties: { default_value } }
  },

  read: (stored) => (stored === undefined ? undefined : { value: textOf(stored), minutes: minutesIn(stored) }),
  blank: { stored: null },
  readSchema: {
    value: Type.Union([Type.String({ description: 'Such as `2h 30m`.' }), Type.Null()]),
    minutes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  },
  writeSchema: {
    value: Type.Union([
      Type.String({ description: 'Such as `2h 30m`, `2h`, `90m`, or `90` for minutes; empty: no value.' }),
      Type.Integer({ minimum: 0, description: 'Minutes.' }),
      Type.Null(),
    ]),
  },
  async write({ value }) {
    if (value === undefined)
      throw new ValueFault('value_invalid', { path: 'value', rule: 'required', cause: 'value_missing' })
    return minutesOf(value, 'value')
  },
  async defaultFor({ default: initial }) {
    return initial ?? undefined
  },
  isEmpty: (stored) => minutesIn(stored) === null,
  isSame: (stored, given) => minutesIn(stored) === minutesIn(given),
  search: durationSearch,
  index(stored) {
    const minutes = minutesIn(stored)
    return minutes === null ? {} : { numbers: [minutes] }
  },
  flat: minutesIn,
  fromCell: (text) => ({ value: text.trim() }),
  inWords: (stored) => textOf(stored) ?? '',
  migrate: migrateToSameType,
}

function isMinutes(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_MINUTES
}

function minutesIn(stored: unknown): number | null {
  return typeof stored === 'number' ? stored : null
}

function textOf(stored: unknown): string | null {
  return typeof stored === 'number' ? formatDuration(stored) : null
}

/** Minutes from a client, as text or number; null and an empty text mean no value. */
function minutesOf(given: unknown, path: string): number | null {
  if (given === null || given === '') return null
  const minutes = typeof given === 'string' || typeof given === 'number' ? parseDuration(String(given)) : undefined
  if (minutes === undefined) throw new ValueFault('value_invalid', { path, rule: 'format', cause: 'not_a_duration' })
  if (isMinutes(minutes)) return minutes
  const allowed = { minimum: 0, maximum: MAX_MINUTES }
  throw new ValueFault('value_invalid', { path, rule: 'maximum', cause: 'number_out_of_range', allowed })
}
