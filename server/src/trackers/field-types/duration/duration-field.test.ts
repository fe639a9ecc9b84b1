import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneField } from '../../../../test/fixtures/one-field.ts'
import { durationField } from './duration-field.ts'

const spent = oneField(durationField)

test.each([
  ['2h 30m', 150, '2h 30m'],
  ['2h30m', 150, '2h 30m'],
  [' 2 H  30 M ', 150, '2h 30m'],
  ['1h 90m', 150, '2h 30m'],
  ['90m', 90, '1h 30m'],
  ['2h', 120, '2h'],
  ['45m', 45, '45m'],
  ['45', 45, '45m'],
  [45, 45, '45m'],
  ['0h', 0, '0m'],
  [0, 0, '0m'],
  ['99999h 59m', 5_999_999, '99999h 59m'],
])('%j is read as minutes', async (value, minutes, shown) => {
  expect(await spent.write({ value })).toBe(minutes)
  expect(spent.read(minutes)).toEqual({ value: shown, minutes })
})

test.each(['', null])('%j clears the value', async (value) => {
  expect(await spent.write({ value })).toBeNull()
})

test.each(['h', 'm', ' ', '1d', '1.5h', '30m 2h', '2h 30', '-1h', 'two hours', 1.5, -5, true, [90], {}, '1234567890'])(
  '%j is no duration',
  async (value) => {
    expect(await spent.refusal({ value })).toEqual({
      reason: 'value_invalid',
      path: 'value',
      rule: 'format',
      cause: 'not_a_duration',
    })
  },
)

test('a value is needed', async () => {
  expect(await spent.refusal({})).toMatchObject({ rule: 'required', cause: 'value_missing' })
})

test.each([6_000_000, '100000h', '999999999h'])('%j is too long', async (value) => {
  expect(await spent.refusal({ value })).toEqual({
    reason: 'value_invalid',
    path: 'value',
    rule: 'maximum',
    cause: 'number_out_of_range',
    allowed: { minimum: 0, maximum: 5_999_999 },
  })
})

test('a cleared duration is shown as null, one that was never set is omitted', () => {
  expect(spent.read(null)).toEqual({ value: null, minutes: null })
  expect(spent.read(undefined)).toBeUndefined()
})

test('no time is not the same as no value', () => {
  expect(durationField.isEmpty?.(0)).toBe(false)
  expect(durationField.isEmpty?.(null)).toBe(true)
  expect(durationField.isEmpty?.(undefined)).toBe(true)
  expect(durationField.isSame?.(0, null)).toBe(false)
  expect(durationField.isSame?.(undefined, null)).toBe(true)
})

test('the structure shows its default as text, and definitions accept text and minutes', async () => {
  expect(spent.describe()).toEqual({ default_value: null, specific_properties: { default_value: null } })
  for (const initial of ['2h 30m', 150]) {
    const field = oneField(durationField, { initial })
    expect(field.describe()).toEqual({ default_value: '2h 30m', specific_properties: { default_value: '2h 30m' } })
    expect(durationField.writeDefault?.(field.field)).toBe('2h 30m')
    expect(await field.begin()).toBe(150)
  }
  expect(await spent.begin()).toBeUndefined()
  expect(() => oneField(durationField, { initial: 'long' })).toThrow('value_invalid')
})

test('tables have minutes, mails have text', () => {
  expect([spent.flat(150), spent.flat(null)]).toEqual([150, null])
  expect([durationField.inWords?.(150), durationField.inWords?.(undefined)]).toEqual(['2h 30m', ''])
})

test('minutes are indexed', () => {
  expect([spent.index(150), spent.index(0), spent.index(null)]).toEqual([{ numbers: [150] }, { numbers: [0] }, {}])
})

test('a duration migrates to durations only: other numbers have no unit', () => {
  expect(spent.migrate(150, 'duration')).toEqual({ value: 150, isPartial: false })
  expect(spent.migrate(150, 'int')).toBeUndefined()
})

test('a step of the workflow sets whole minutes', () => {
  const { action } = durationField
  const fits = action?.kind === 'number' ? action.fits : () => undefined
  expect([0, 150, -1, 1.5, 6_000_000, '2h'].map(fits)).toEqual([true, true, false, false, false, false])
})

test('every shown duration can be sent back, as text or as minutes, and changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(5_999_999), async (minutes) => {
      const shown = { value: null, minutes: null, ...spent.read(minutes) }
      expect(await spent.write({ value: shown.value })).toBe(minutes)
      expect(await spent.write({ value: shown.minutes })).toBe(minutes)
    }),
  )
})
