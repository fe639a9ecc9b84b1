import { type TSchema, Type } from 'typebox'
import { INDEXED, numberComparisons, numberCriteria } from '../search/number-search.ts'
import { type FieldType, ValueFault } from './field-type.ts'
import { count, countOf } from './properties.ts'

/** The differences between the number types. */
interface Kind {
  readonly type: string
  readonly schemaName: string
  /** The schema of one value. */
  readonly schema: TSchema
  /** The accepted text form. */
  readonly pattern: RegExp
  readonly minimum: number
  readonly maximum: number
  /** The nearest number of this type. */
  readonly fit: (value: number) => number
  /** Whether an action of the workflow may set the value. */
  readonly fits: (value: unknown) => boolean
}

/** A type of field that holds a number. */
export function numberType(kind: Kind): FieldType {
  const numberIn = (stored: unknown) => (typeof stored === 'number' ? kind.fit(stored) : null)
  const Numeric = Type.Union([Type.Number(), Type.String(), Type.Null()])
  const read = (given: unknown, maxchars: unknown, path: string) => readNumber(given, { ...kind, maxchars, path })
  return {
    type: kind.type,
    kind: 'field',
    schemaName: kind.schemaName,
    properties: Type.Object(
      { maxchars: count(0), size: count(5), default_value: Type.Optional(Numeric) },
      { additionalProperties: false },
    ),
    isWritable: true,
    canBeRequired: true,
    isAlphanumeric: true,
    isAmount: true,
    action: { kind: 'number', fits: kind.fits },
    mayBecome: ({ type }) => type === 'int' || type === 'float',

    readDefault: (given, { properties }) => read(given ?? '', properties['maxchars'], 'default'),
    writeDefault: (element) => element.default,
    describe({ properties, default: default_value }) {
      return { default_value, specific_properties: { ...properties, default_value } }
    },

    read: (stored) => (stored === undefined ? undefined : { value: numberIn(stored) }),
    blank: { stored: null },
    readSchema: { value: Type.Union([kind.schema, Type.Null()]) },
    writeSchema: { value: Type.Union([kind.schema, Type.String({ description: 'The digits; empty: no value.' })]) },
    async write({ value }, { properties }) {
      return read(value, properties['maxchars'], 'value')
    },
    async defaultFor({ default: initial }) {
      return initial ?? undefined
    },
    isEmpty: (stored) => numberIn(stored) === null,
    isSame: (stored, given) => numberIn(stored) === numberIn(given),
    search: {
      ...numberCriteria(INDEXED),
      ...numberComparisons(INDEXED),
      sort: ({ id }) => ({ kind: 'number', field: id, unit: 'number' }),
      isSummable: true,
    },
    index(stored) {
      const value = numberIn(stored)
      return value === null ? {} : { numbers: [value] }
    },
    flat: numberIn,
    fromCell: (text) => ({ value: text.trim() }),
    migrate(stored, _, { type }) {
      if (type === kind.type || type === 'float') return { value: stored, isPartial: false }
      if (type !== 'int') return undefined
      return { value: typeof stored === 'number' ? wholeNumber(stored) : stored, isPartial: false }
    },
  }
}

/** Truncates to an integer within the safe range. */
export function wholeNumber(value: number): number {
  return Math.min(Math.max(Math.trunc(value), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER) + 0
}

interface Bounds extends Omit<Kind, 'type' | 'schemaName' | 'schema' | 'fit' | 'fits'> {
  readonly maxchars: unknown
  readonly path: string
}

/** A number from a client, also as text; an empty text means no value. */
export function readNumber(given: unknown, { pattern, minimum, maximum, maxchars, path }: Bounds): number | null {
  if (given === undefined || given === null)
    throw new ValueFault('value_invalid', { path, rule: 'required', cause: 'value_missing' })
  if (given === '') return null
  const isTyped = typeof given === 'number' || (typeof given === 'string' && pattern.test(given))
  if (!isTyped) throw new ValueFault('value_invalid', { path, rule: 'type', cause: 'not_a_number' })
  const value = Number(given)
  if (value < minimum || value > maximum) {
    const allowed = { minimum, maximum }
    const rule = value < minimum ? 'minimum' : 'maximum'
    throw new ValueFault('value_invalid', { path, rule, cause: 'number_out_of_range', allowed })
  }
  if (!pattern.test(String(value))) throw new ValueFault('value_invalid', { path, rule: 'type', cause: 'not_a_number' })
  const most = countOf(maxchars)
  if (most > 0 && String(given).replace(/\D/g, '').length > most)
    throw new ValueFault('value_invalid', { path, rule: 'max_length', cause: 'too_long', allowed: { maximum: most } })
  return value + 0 // Turns -0 into 0.
}
