import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { readInput } from '../../platform/wire/read-input.ts'
import { burndownField } from './burndown/burndown-field.ts'
import { dateField } from './date/date-field.ts'
import { FIELD_TYPES } from './field-types.ts'
import { count, flag, isOn, normalizeProperties } from './properties.ts'
import { stringField } from './string/string-field.ts'

const schema = Type.Object({ size: count(5), wide: flag(1) })

test('missing settings get their defaults', () => {
  expect(normalizeProperties({ properties: schema }, {}, undefined)).toEqual({
    properties: { size: 5, wide: 1 },
    default: undefined,
  })
})

test('true and false are stored as 1 and 0', () => {
  expect(normalizeProperties({ properties: schema }, { wide: false }, undefined).properties).toEqual({
    size: 5,
    wide: 0,
  })
  expect(normalizeProperties({ properties: schema }, { wide: true }, undefined).properties).toEqual({
    size: 5,
    wide: 1,
  })
  expect([0, 1, true, false, undefined].map(isOn)).toEqual([false, true, true, false, false])
})

test('a default among the settings applies if the element has none, and is stored once', () => {
  expect(normalizeProperties(stringField, { default_value: 'New' }, undefined)).toEqual({
    properties: { maxchars: 0, size: 30 },
    default: 'New',
  })
  expect(normalizeProperties(stringField, { default_value: 'New' }, 'Old').default).toBe('Old')
  expect(normalizeProperties(dateField, { default_value_type: 0, default_value: '' }, undefined)).toEqual({
    properties: { display_time: 0 },
    default: 'today',
  })
})

test('all settings are optional', () => {
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
