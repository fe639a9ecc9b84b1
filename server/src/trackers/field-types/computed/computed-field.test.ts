import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneField } from '../../../../test/fixtures/one-field.ts'
import { computedField } from './computed-field.ts'

const remaining = oneField(computedField, { name: 'remaining', reading: { sum: () => 3 } })
const alone = oneField(computedField, { name: 'remaining' })

test('it shows the computed sum, the manual value, and which of them applies', () => {
  expect(remaining.read(undefined)).toEqual({ is_autocomputed: true, value: 3, manual_value: null })
  expect(remaining.read(null)).toEqual({ is_autocomputed: true, value: 3, manual_value: null })
  expect(remaining.read(8)).toEqual({ is_autocomputed: false, value: 3, manual_value: 8 })
  expect(alone.read(0)).toEqual({ is_autocomputed: false, value: null, manual_value: 0 })
})

test('it is omitted if there is neither', () => {
  expect(alone.read(undefined)).toBeUndefined()
  expect(alone.read(null)).toBeUndefined()
})

test.each([
  [{ manual_value: 12 }, 12],
  [{ manual_value: '1.5' }, 1.5],
  [{ manual_value: 0 }, 0],
  [{ manual_value: 12, is_autocomputed: false }, 12],
  [{ manual_value: 12, value: 5 }, 12],
  [{ is_autocomputed: true }, null],
  [{ is_autocomputed: 'true' }, null],
  [{ is_autocomputed: '1', manual_value: '' }, null],
  [{ is_autocomputed: true, value: 3, manual_value: null }, null],
  [{ is_autocomputed: 'false', manual_value: '12' }, 12],
])('%j stores %j', async (item, stored) => {
  expect(await remaining.write(item)).toBe(stored)
})

test.each([
  [{}, 'value_missing', 'manual_value', 'required'],
  [{ value: 5 }, 'computed_value_refused', 'value', 'type'],
  [{ value: 5, manual_value: null }, 'computed_value_refused', 'value', 'type'],
  [{ value: null }, 'computed_value_refused', 'value', 'type'],
  [{ is_autocomputed: false }, 'manual_value_missing', 'manual_value', 'required'],
  [{ is_autocomputed: false, value: 5 }, 'manual_value_missing', 'manual_value', 'required'],
  [{ is_autocomputed: false, manual_value: null }, 'manual_value_missing', 'manual_value', 'required'],
  [{ manual_value: null }, 'manual_value_missing', 'manual_value', 'required'],
  [{ manual_value: 'much' }, 'not_a_number', 'manual_value', 'type'],
  [{ manual_value: true }, 'not_a_number', 'manual_value', 'type'],
])('%j is refused: %s', async (item, cause, path, rule) => {
  expect(await remaining.refusal(item)).toEqual({ reason: 'value_invalid', path, rule, cause })
})

test('the structure names the summed field, which defaults to its own name', () => {
  expect(alone.describe()).toEqual({
    default_value: null,
    specific_properties: { target_field_name: 'remaining', default_value: null },
  })
  const effort = oneField(computedField, { properties: { target_field_name: 'effort' }, initial: 3.5 })
  expect(effort.describe()).toEqual({
    default_value: { type: 'manual_value', value: 3.5 },
    specific_properties: { target_field_name: 'effort', default_value: 3.5 },
  })
  expect(computedField.sums?.(effort.field)).toBe('effort')
})

test('the default becomes the manual value', async () => {
  expect(await oneField(computedField, { initial: '3.5' }).begin()).toBe(3.5)
  expect(await alone.begin()).toBeUndefined()
  expect(() => oneField(computedField, { initial: 'much' })).toThrow('value_invalid')
})

test('only the manual value is compared, and only it can be missing', () => {
  expect(computedField.isSame?.(undefined, null)).toBe(true)
  expect(computedField.isSame?.(8, 8)).toBe(true)
  expect(computedField.isSame?.(8, null)).toBe(false)
  expect(computedField.isEmpty?.(null)).toBe(true)
  expect(computedField.isEmpty?.(0)).toBe(false)
})

test('tables show the value that applies', () => {
  expect(remaining.flat(8)).toBe(8)
  expect(remaining.flat(null)).toBe(3)
  expect(alone.flat(undefined)).toBeNull()
})

test('every shown value can be sent back and changes nothing', async () => {
  const amounts = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }))
  await fc.assert(
    fc.asyncProperty(amounts, async (amount) => {
      const stored = amount === null ? null : amount + 0
      expect(computedField.isSame?.(stored, await remaining.write({ ...remaining.read(stored) }))).toBe(true)
    }),
  )
})
