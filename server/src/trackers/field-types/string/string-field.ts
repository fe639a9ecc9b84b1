import { Type } from 'typebox'
import { textSearch } from '../../search/text-search.ts'
import { type FieldType, ValueFault } from '../field-type.ts'
import { count, countOf } from '../properties.ts'
import { holdsText, storedLine } from '../stored-text.ts'

/** One line of text. */
export const stringField: FieldType = {
  type: 'string',
  kind: 'field',
  schemaName: 'String',
  properties: Type.Object(
    { maxchars: count(0), size: count(30), default_value: Type.Optional(Type.String()) },
    { additionalProperties: false },
  ),
  isWritable: true,
  canBeRequired: true,
  isAlphanumeric: true,
  mayBecome: holdsText,

  readDefault: (given, { properties }) => {
    const line =
      given === undefined || given === null ? '' : checkedLine(given, countOf(properties['maxchars']), 'default')
    return line === '' ? null : line
  },
  writeDefault: (element) => element.default,
  describe({ properties, default: initial }) {
    const default_value = initial ?? ''
    return { default_value, specific_properties: { ...properties, default_value } }
  },

  read(stored) {
    const value = storedLine(stored)
    return value === undefined ? undefined : { value }
  },
  blank: { stored: '' },
  readSchema: { value: Type.String() },
  writeSchema: { value: Type.String() },
  async write({ value }, { properties }) {
    return checkedLine(value, countOf(properties['maxchars']), 'value')
  },
  async defaultFor({ default: initial }) {
    return initial ?? undefined
  },
  isEmpty: (stored) => lineOf(stored) === '',
  isSame: (stored, given) => lineOf(stored) === lineOf(given),
  search: textSearch(),
  texts(stored) {
    const content = lineOf(stored)
    return content === '' ? [] : [{ format: 'text', content }]
  },
  fromPlainText: (text) => text.replaceAll(/[\r\n]+/g, ' '),
  flat: (stored) => storedLine(stored) ?? null,
  fromCell: (value) => ({ value }),
  migrate(stored, _, { type }) {
    if (type === 'string') return { value: stored, isPartial: false }
    if (type !== 'text') return undefined
    const content = storedLine(stored)
    return { value: content === undefined ? undefined : { format: 'text', content }, isPartial: false }
  },
}

function checkedLine(given: unknown, maximum: number, path: string): string {
  if (given === undefined || given === null)
    throw new ValueFault('value_invalid', { path, rule: 'required', cause: 'value_missing' })
  if (typeof given !== 'string') throw new ValueFault('value_invalid', { path, rule: 'type', cause: 'not_a_string' })
  if (/[\r\n\0]/.test(given)) throw new ValueFault('value_invalid', { path, rule: 'pattern', cause: 'line_break' })
  // A surrogate pair counts as one character.
  if (maximum > 0 && given.length > maximum && Array.from(given).length > maximum)
    throw new ValueFault('value_invalid', { path, rule: 'max_length', cause: 'too_long', allowed: { maximum } })
  return given
}

/** Treats nothing stored and cleared as equal. */
function lineOf(stored: unknown): string {
  return storedLine(stored) ?? ''
}
