import { expect, test } from 'vitest'
import { type AnyValue, type Value, VALUE_TYPES } from '../src/api.ts'

// The compiler checks these: an expected error that does not occur fails `tsc`.

test('the type of a value decides its members', () => {
  const described = VALUES.map(describe)

  expect(described).toEqual(['Apples', 3, ['Open'], 'none'])
})

test('the types that are known have a list, for values of a newer server', () => {
  const newer: AnyValue = { field_id: 1, type: 'weight', label: 'Load', value: '1kg 300g' }

  expect(VALUE_TYPES.includes(newer.type)).toBe(false)
  expect(VALUES.every(({ type }) => VALUE_TYPES.includes(type))).toBe(true)
})

const common = { field_id: 1, label: 'A field' }
const open = { id: 1, label: 'Open', color: null, tlp_color: null, is_hidden: false }
const VALUES: readonly Value[] = [
  { ...common, type: 'string', value: 'Apples' },
  { ...common, type: 'int', value: 3 },
  { ...common, type: 'sb', values: [open], bind_value_ids: [1] },
  { ...common, type: 'art_link', links: [], reverse_links: [] },
]

function describe(value: Value): unknown {
  // @ts-expect-error -- before its type is known, a value has only the members that all values have
  const early: unknown = value.bind_value_ids
  if (value.type === 'string') {
    const text: string = value.value
    return text
  }
  if (value.type === 'int') {
    const amount: number | null = value.value
    // @ts-expect-error -- an integer is no text
    const text: string = value.value
    return amount ?? text
  }
  // @ts-expect-error -- a list has `values`
  if (value.type === 'sb') return value.value ?? value.values.map((each) => ('label' in each ? each.label : each.id))
  if (value.type === 'art_link') return value.links.length === 0 ? 'none' : value.links.map(({ id }) => id)
  // @ts-expect-error -- there is no such type
  return value.type === 'nothing' ? early : undefined
}

// @ts-expect-error -- the value of an integer is a number
export const WRONG_VALUE: Value = { ...common, type: 'int', value: 'three' }
