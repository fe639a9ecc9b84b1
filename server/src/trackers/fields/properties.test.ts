import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { readInput } from '../../platform/wire/read-input.ts'
import { burndownField } from './burndown.ts'
import { dateField } from './date.ts'
import { FIELD_TYPES } from './field-types.ts'
import { count, flag, isOn, settle } from './properties.ts'
import { stringField } from './string.ts'

const schema = Type.Object({ size: count(5), wide: flag(1) })

test('settings that are not given have their defaults', () => {
  expect(settle({ properties: schema }, {}, undefined)).toEqual({
    properties: { size: 5, wide: 1 },
    default: undefined,
  })
})

test('true and false are kept as 1 and 0', () => {
  expect(settle({ properties: schema }, { wide: false }, undefined).properties).toEqual({ size: 5, wide: 0 })
  expect(settle({ properties: schema }, { wide: true }, undefined).properties).toEqual({ size: 5, wide: 1 })
  expect([0, 1, true, false, undefined].map(isOn)).toEqual([false, true, true, false, false])
})

test('a default among the settings counts where the element has none of its own, and is kept in one place', () => {
  expect(settle(stringField, { default_value: 'New' }, undefined)).toEqual({
    properties: { maxchars: 0, size: 30 },
    default: 'New',
  })
  expect(settle(stringField, { default_value: 'New' }, 'Old').default).toBe('Old')
  expect(settle(dateField, { default_value_type: 0, default_value: '' }, undefined)).toEqual({
    properties: { display_time: 0 },
    default: 'today',
  })
})

test('no setting has to be given', () => {
  for (const { properties } of FIELD_TYPES) expect(readInput(properties, {}, 'json')).toEqual({})
})

test.each([
  [stringField, { maxchars: -1 }, 'parameter_out_of_range'],
  [stringField, { maxchars: 'many' }, 'parameter_invalid'],
  [stringField, { rows: 5 }, 'member_unknown'],
  [burndownField, { use_cache: 2 }, 'parameter_not_allowed'],
])('settings of $type: %j is refused', (type, given, reason) => {
  expect(() => readInput(type.properties, given, 'json')).toThrow(reason)
})
