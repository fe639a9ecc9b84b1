import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneField } from '../../../test/fixtures/one-field.ts'
import { floatField } from './float/float-field.ts'
import { integerField } from './integer/integer-field.ts'

const points = oneField(integerField)
const hours = oneField(floatField)

test.each([
  [5, 5],
  ['5', 5],
  ['+5', 5],
  ['-5', -5],
  ['007', 7],
  [-0, 0],
  ['-0', 0],
  [9_007_199_254_740_991, 9_007_199_254_740_991],
  ['-9007199254740991', -9_007_199_254_740_991],
  ['', null],
])('an integer is parsed from %j', async (value, stored) => {
  expect(await points.write({ value })).toBe(stored)
  expect(points.read(stored)).toEqual({ value: stored })
})

test.each([
  [1.5, 1.5],
  ['1.5', 1.5],
  ['1.', 1],
  ['.5', 0.5],
  ['-1.5e-3', -0.0015],
  ['2E3', 2000],
  ['5.0', 5],
  [1e-7, 1e-7],
  [1e300, 1e300],
  [-0, 0],
  ['', null],
])('a number is parsed from %j', async (value, stored) => {
  expect(await hours.write({ value })).toBe(stored)
  expect(hours.read(stored)).toEqual({ value: stored })
})

test.each([undefined, null])('%s is not a value', async (value) => {
  for (const field of [points, hours])
    expect(await field.refusal({ value })).toEqual({
      reason: 'value_invalid',
      path: 'value',
      rule: 'required',
      cause: 'value_missing',
    })
})

test.each(['5.0', '1e3', 5.5, ' 5', '5 ', '5,0', '0x10', '٥', 'five', '-', '+', true, [5], {}, 'Infinity', 'NaN'])(
  '%j is not an integer',
  async (value) => {
    expect(await points.refusal({ value })).toEqual({
      reason: 'value_invalid',
      path: 'value',
      rule: 'type',
      cause: 'not_a_number',
    })
  },
)

test.each(
  ['1,5', ' 1', '1e', '.', '', 'e5', '1.5.2', '0x10', false, ['1'], {}, 'Infinity'].filter((each) => each !== ''),
)('%j is not a number', async (value) => {
  expect(await hours.refusal({ value })).toMatchObject({ cause: 'not_a_number', rule: 'type' })
})

test.each([
  ['9007199254740992', 'maximum'],
  [9_007_199_254_740_992, 'maximum'],
  [1e300, 'maximum'],
  ['-9007199254740993', 'minimum'],
])('%j is outside the safe integer range', async (value, rule) => {
  expect(await points.refusal({ value })).toEqual({
    reason: 'value_invalid',
    path: 'value',
    rule,
    cause: 'number_out_of_range',
    allowed: { minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 },
  })
})

test('a number beyond the range of a double is refused', async () => {
  expect(await hours.refusal({ value: '1e400' })).toMatchObject({ cause: 'number_out_of_range', rule: 'maximum' })
  expect(await hours.refusal({ value: '-1e400' })).toMatchObject({ cause: 'number_out_of_range', rule: 'minimum' })
})

test('the limit counts digits, not signs and points', async () => {
  const [whole, broken] = [integerField, floatField].map((type) => oneField(type, { properties: { maxchars: 3 } }))
  expect(await whole?.write({ value: '-999' })).toBe(-999)
  expect(await broken?.write({ value: 99.9 })).toBe(99.9)
  const refusal = { cause: 'too_long', rule: 'max_length', allowed: { maximum: 3 } }
  expect(await whole?.refusal({ value: 1000 })).toMatchObject(refusal)
  expect(await broken?.refusal({ value: '1.000' })).toMatchObject(refusal)
})

test('a cleared number is shown as null, a number that was never set is omitted', () => {
  expect(points.read(null)).toEqual({ value: null })
  expect(points.read(undefined)).toBeUndefined()
  expect(points.flat(undefined)).toBeNull()
  expect(points.flat(5)).toBe(5)
})

test('the structure shows its settings and its default', async () => {
  const bare = { maxchars: 0, size: 5, default_value: null }
  expect(points.describe()).toEqual({ default_value: null, specific_properties: bare })
  const three = oneField(integerField, { properties: { default_value: '3', size: 7 } })
  expect(three.describe()).toEqual({
    default_value: 3,
    specific_properties: { maxchars: 0, size: 7, default_value: 3 },
  })
  expect(await three.begin()).toBe(3)
  expect(await points.begin()).toBeUndefined()
  expect(await oneField(floatField, { initial: 0 }).begin()).toBe(0)
  expect(() => oneField(integerField, { initial: 'three' })).toThrow('value_invalid')
})

test('numbers are compared as numbers, and clearing a number that was never set changes nothing', () => {
  expect(floatField.isSame?.(5, 5.0)).toBe(true)
  expect(floatField.isSame?.(0.1, 0.10000000000000002)).toBe(false)
  expect(integerField.isSame?.(undefined, null)).toBe(true)
  expect(integerField.isSame?.(0, null)).toBe(false)
  expect(integerField.isEmpty?.(0)).toBe(false)
  expect(integerField.isEmpty?.(null)).toBe(true)
  expect(integerField.isEmpty?.(undefined)).toBe(true)
})

test('numbers are indexed', () => {
  expect(hours.index(-1.5)).toEqual({ numbers: [-1.5] })
  expect(hours.index(null)).toEqual({})
  expect(hours.index(undefined)).toEqual({})
})

test('numbers migrate to number fields; an integer field drops the fraction', () => {
  expect(points.migrate(5, 'float')).toEqual({ value: 5, isPartial: false })
  expect(hours.migrate(-1.5, 'float')).toEqual({ value: -1.5, isPartial: false })
  expect(hours.migrate(-1.5, 'int')).toEqual({ value: -1, isPartial: false })
  expect(hours.migrate(1e300, 'int')).toEqual({ value: 9_007_199_254_740_991, isPartial: false })
  expect(hours.migrate(null, 'int')).toEqual({ value: null, isPartial: false })
  expect(hours.migrate(1.5, 'string')).toBeUndefined()
})

test('an integer field shows a stored fraction as an integer', () => {
  expect(points.read(2.9)).toEqual({ value: 2 })
  expect(points.index(2.9)).toEqual({ numbers: [2] })
})

test('every shown number can be sent back, as a number or as a text, and changes nothing', async () => {
  const sides = [
    [integerField, points, fc.maxSafeInteger()],
    [floatField, hours, fc.double({ noNaN: true, noDefaultInfinity: true })],
  ] as const
  for (const [type, field, numbers] of sides)
    await fc.assert(
      fc.asyncProperty(numbers, async (number) => {
        const stored = await field.write({ value: number })
        const shown = { value: null, ...field.read(stored) }
        expect(type.isSame?.(stored, await field.write(shown))).toBe(true)
        expect(type.isSame?.(stored, await field.write({ value: String(shown.value) }))).toBe(true)
        expect(JSON.parse(JSON.stringify(shown))).toEqual(shown)
      }),
    )
})
