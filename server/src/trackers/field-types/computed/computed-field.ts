import { Type } from 'typebox'
import { xmlElement } from '../../../platform/wire/xml-element.ts'
import type { Element } from '../../tracker.ts'
import { DECIMAL } from '../decimal.ts'
import { type FieldType, ValueFault, type WriteItem } from '../field-type.ts'
import { readNumber } from '../number-type.ts'
import { textProperty } from '../properties.ts'
import { migrateToSameType } from '../same-type.ts'

const Amount = Type.Union([Type.Number(), Type.Null()])

/** The sum of a field over the children, or a manual value. */
export const computedField: FieldType = {
  type: 'computed',
  kind: 'field',
  schemaName: 'Computed',
  properties: Type.Object(
    {
      target_field_name: textProperty('', { maxLength: 255, description: 'Empty: the name of the field itself.' }),
      default_value: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Null()])),
    },
    { additionalProperties: false },
  ),
  isWritable: true,
  isAlphanumeric: true,
  needs: ['sums'],
  isAmount: true,
  sums: summedName,

  readDefault: (given) => readAmount(given ?? '', 'default'),
  writeDefault: (element) => element.default,
  describe(element) {
    const { default: value } = element
    return {
      default_value: value === null ? null : { type: 'manual_value', value },
      specific_properties: { target_field_name: summedName(element), default_value: value },
    }
  },

  read(stored, { id }, reading) {
    const manual_value = amountIn(stored)
    const value = reading.sum(id)
    if (manual_value === null && value === null) return undefined
    return { is_autocomputed: manual_value === null, value, manual_value }
  },
  blank: { shown: { is_autocomputed: true, value: null, manual_value: null } },
  readSchema: { is_autocomputed: Type.Boolean(), value: Amount, manual_value: Amount },
  writeSchema: {
    is_autocomputed: Type.Optional(Type.Boolean({ description: 'True: without a manual value.' })),
    manual_value: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Null()])),
  },
  async write(item) {
    if (isSaid(item.is_autocomputed, true)) return null
    const manual = readAmount(item.manual_value ?? '', 'manual_value')
    if (manual !== null) return manual
    throw new ValueFault('value_invalid', whatIsMissing(item))
  },
  async defaultFor({ default: initial }) {
    return initial ?? undefined
  },
  isEmpty: (stored) => amountIn(stored) === null,
  isSame: (stored, given) => amountIn(stored) === amountIn(given),
  flat: (stored, { id }, reading) => amountIn(stored) ?? reading.sum(id),
  migrate: migrateToSameType,
  archive(stored) {
    const manual = amountIn(stored)
    return {
      attributes: { type: 'computed' },
      content:
        manual === null ? [xmlElement('is_autocomputed', {}, 1)] : [xmlElement('manual_value', {}, String(manual))],
    }
  },
}

/** The name of the summed field in the trackers of the children. */
function summedName({ name, properties }: Pick<Element, 'name' | 'properties'>): string {
  const target = properties['target_field_name']
  return typeof target === 'string' && target !== '' ? target : name
}

function amountIn(stored: unknown): number | null {
  return typeof stored === 'number' ? stored : null
}

function readAmount(given: unknown, path: string): number | null {
  const [minimum, maximum] = [-Number.MAX_VALUE, Number.MAX_VALUE]
  return readNumber(given, { pattern: DECIMAL, minimum, maximum, maxchars: 0, path })
}

/** XML sends booleans as text. */
function isSaid(given: unknown, truth: boolean): boolean {
  return (
    given === truth || (typeof given !== 'boolean' && [String(truth), String(Number(truth))].includes(String(given)))
  )
}

/** The computed value is read-only, so the manual value must be the missing one. */
function whatIsMissing({ value, is_autocomputed, manual_value }: WriteItem): ValueFault['details'] {
  if (isSaid(is_autocomputed, false)) return { path: 'manual_value', rule: 'required', cause: 'manual_value_missing' }
  if (value !== undefined) return { path: 'value', rule: 'type', cause: 'computed_value_refused' }
  return {
    path: 'manual_value',
    rule: 'required',
    cause: manual_value === undefined ? 'value_missing' : 'manual_value_missing',
  }
}
