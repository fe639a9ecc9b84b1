import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneField } from '../../../../test/fixtures/one-field.ts'
import { dateField } from './date-field.ts'

const properties = { display_time: true }
const due = oneField(dateField)
const started = oneField(dateField, { properties })
const ofAuckland = { viewer: { time_zone: 'Pacific/Auckland' }, zone: 'America/New_York' }

test('a day is returned as its start in the time zone of the platform', () => {
  expect(due.read('2026-03-20')).toEqual({ value: '2026-03-20T00:00:00+00:00', is_time_displayed: false })
  const inZurich = oneField(dateField, { zone: 'Europe/Zurich' })
  expect(inZurich.read('2026-03-20')).toEqual({ value: '2026-03-20T00:00:00+01:00', is_time_displayed: false })
  expect(inZurich.read('2026-07-20')).toEqual({ value: '2026-07-20T00:00:00+02:00', is_time_displayed: false })
})

test('an instant is returned in UTC', () => {
  expect(started.read('2026-03-02T14:30:00.000Z')).toEqual({
    value: '2026-03-02T14:30:00+00:00',
    is_time_displayed: true,
  })
})

test('a cleared date is shown as null, a date that was never set is omitted', () => {
  expect(due.read(null)).toEqual({ value: null, is_time_displayed: false })
  expect(due.read(undefined)).toBeUndefined()
})

test.each([
  '2026-03-01',
  '2026-03-01 14:30',
  '2026-03-01 14:30:15',
  '2026-03-01T23:59',
  '2026-03-01T00:00:00',
  '2026-03-01T23:59:59.999Z',
  '2026-03-01T00:00:00+14:00',
  '2026-03-01T23:00:00-1200',
  '2026-03-01T23:00:00+02',
])('the day written in %s is stored, in any time zone of the writer', async (value) => {
  expect(await oneField(dateField, ofAuckland).write({ value })).toBe('2026-03-01')
})

test.each([
  ['2026-03-01', '2026-02-28T11:00:00.000Z'],
  ['2026-03-01 14:30', '2026-03-01T01:30:00.000Z'],
  ['2026-03-01T14:30', '2026-03-01T01:30:00.000Z'],
  ['2026-03-01T14:30:15.900', '2026-03-01T01:30:15.000Z'],
  ['2026-03-01T14:30:15Z', '2026-03-01T14:30:15.000Z'],
  ['2026-03-01 14:30+01:00', '2026-03-01T13:30:00.000Z'],
  ['2026-03-01T14:30:00-0530', '2026-03-01T20:00:00.000Z'],
])('%s is the instant for a writer in Auckland', async (value, stored) => {
  expect(await oneField(dateField, { ...ofAuckland, properties }).write({ value })).toBe(stored)
})

test('a writer without a time zone uses the time zone of the platform', async () => {
  const inNewYork = oneField(dateField, { properties, zone: 'America/New_York' })
  expect(await inNewYork.write({ value: '2026-03-01T14:30:00' })).toBe('2026-03-01T19:30:00.000Z')
})

test.each(['', null, false])('%j clears the date', async (value) => {
  expect(await due.write({ value })).toBeNull()
  expect(await started.write({ value })).toBeNull()
})

test.each([
  'tomorrow',
  '2026-02-30',
  '2025-02-29',
  '2026-13-01',
  '0000-01-01',
  '01.03.2026',
  '2026-3-1',
  '2026-03-01T',
  '2026-03-01T24:00',
  '2026-03-01T14',
  '2026-03-01T14:60',
  '2026-03-01T14:30:00+24:00',
  '2026-03-01T14:30:00+01:60',
  ' 2026-03-01',
  '2026-03-01\n',
  '٢٠٢٦-03-01',
  0,
  1_772_323_200,
  true,
  [],
  {},
])('%j is not a date', async (value) => {
  const refusal = {
    reason: 'value_invalid',
    path: 'value',
    rule: 'format',
    cause: 'not_a_date',
    params: expect.objectContaining({ example: expect.any(String) }),
  }
  expect(await due.refusal({ value })).toEqual(refusal)
  expect(await started.refusal({ value })).toEqual(refusal)
})

test('an item without a value is refused', async () => {
  expect(await due.refusal({})).toEqual({
    reason: 'value_invalid',
    path: 'value',
    rule: 'required',
    cause: 'value_missing',
  })
})

test('the structure shows its settings', () => {
  const plain = { default_value_type: 1, default_value_today: null, default_value: '', display_time: 0 }
  expect(due.describe()).toEqual({
    default_value: '',
    specific_properties: plain,
    extra: { is_time_displayed: false },
  })
  expect(started.describe()).toEqual({
    default_value: '',
    specific_properties: { ...plain, display_time: 1 },
    extra: { is_time_displayed: true },
  })
})

test("today is the day in the writer's time zone at the time of writing", async () => {
  const today = { ...ofAuckland, initial: 'today', now: new Date('2026-03-01T12:34:56.789Z') }
  const day = oneField(dateField, today)
  expect(day.describe()).toMatchObject({
    default_value: '2026-03-02',
    specific_properties: { default_value_type: 0, default_value: '' },
  })
  expect(await day.begin()).toBe('2026-03-02')
  const time = oneField(dateField, { ...today, properties })
  expect(time.describe()).toMatchObject({ default_value: '2026-03-02 01:34' })
  expect(await time.begin()).toBe('2026-03-01T12:34:56.000Z')
})

test('a fixed default is the same for everyone', async () => {
  const day = oneField(dateField, { ...ofAuckland, initial: '2026-05-01' })
  expect(day.describe()).toMatchObject({
    default_value: '2026-05-01',
    specific_properties: { default_value_type: 1, default_value: '2026-05-01' },
  })
  expect(await day.begin()).toBe('2026-05-01')
  const time = oneField(dateField, { ...ofAuckland, initial: '2026-05-01T09:00', properties })
  expect(time.describe()).toMatchObject({ default_value: '2026-05-01 09:00' })
  expect(await time.begin()).toBe('2026-05-01T13:00:00.000Z')
  expect(await due.begin()).toBeUndefined()
  expect(() => oneField(dateField, { initial: 'tomorrow' })).toThrow('value_invalid')
  expect(() => oneField(dateField, { initial: 5 })).toThrow('value_invalid')
  expect(() => oneField(dateField, { initial: '2026-05-01T09:00Z', properties })).toThrow('value_invalid')
})

test('definitions accept the settings that the structure shows', () => {
  expect(oneField(dateField, { properties: { default_value_type: 0 } }).field).toMatchObject({
    properties: { display_time: 0 },
    default: 'today',
  })
  const shown = { default_value_type: 1, default_value_today: null, default_value: '2026-05-01', display_time: 1 }
  expect(oneField(dateField, { properties: shown }).field).toMatchObject({
    properties: { display_time: 1 },
    default: '2026-05-01 00:00',
  })
})

test('dates are compared to the second, and clearing a date that was never set changes nothing', () => {
  expect(dateField.isSame?.('2026-03-01', '2026-03-01')).toBe(true)
  expect(dateField.isSame?.('2026-03-01', '2026-03-02')).toBe(false)
  expect(dateField.isSame?.('2026-03-01T10:00:00.250Z', '2026-03-01T10:00:00.000Z')).toBe(true)
  expect(dateField.isSame?.('2026-03-01T10:00:01.000Z', '2026-03-01T10:00:00.000Z')).toBe(false)
  expect(dateField.isSame?.(undefined, null)).toBe(true)
  expect(dateField.isEmpty?.(null)).toBe(true)
  expect(dateField.isEmpty?.(undefined)).toBe(true)
  expect(dateField.isEmpty?.('2026-03-01')).toBe(false)
})

test('the index stores days as days and instants as seconds', () => {
  expect(due.index('1970-01-02')).toEqual({ numbers: [1] })
  expect(due.index('1969-12-31')).toEqual({ numbers: [-1] })
  expect(started.index('1970-01-02T00:00:01.000Z')).toEqual({ numbers: [86_401] })
  expect(due.index(null)).toEqual({})
})

test('tables show a day without time', () => {
  expect(due.flat('2026-03-20')).toBe('2026-03-20')
  expect(started.flat('2026-03-02T14:30:00.000Z')).toBe('2026-03-02T14:30:00+00:00')
  expect(started.flat(null)).toBeNull()
})

test('a field whose time setting changed still shows earlier values', () => {
  const inNewYork = { zone: 'America/New_York' }
  expect(oneField(dateField, { ...inNewYork, properties }).read('2026-03-01')).toMatchObject({
    value: '2026-03-01T05:00:00+00:00',
  })
  expect(oneField(dateField, inNewYork).read('2026-03-02T02:00:00.000Z')).toMatchObject({
    value: '2026-03-01T00:00:00-05:00',
  })
})

test('dates migrate to date fields only', () => {
  expect(due.migrate('2026-03-01', 'date')).toEqual({ value: '2026-03-01', isPartial: false })
  expect(due.migrate('2026-03-01', 'string')).toBeUndefined()
})

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC')
const moments = fc.date({ min: new Date('0001-01-03'), max: new Date('9999-12-29T00:00:00Z'), noInvalidDate: true })

test('a day never shifts between the time zones of platform, reader and writer', async () => {
  const days = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  await fc.assert(
    fc.asyncProperty(days, zones, zones, async (date, zone, time_zone) => {
      const day = date.toISOString().slice(0, 10)
      const field = oneField(dateField, { zone, viewer: { time_zone } })
      const shown = { value: '', ...field.read(day) }
      expect(shown.value).toMatch(new RegExp(`^${day}T00:00:00[+-]\\d\\d:\\d\\d$`))
      expect(await field.write(shown)).toBe(day)
      expect(dateField.isSame?.(day, day)).toBe(true)
    }),
  )
})

test('an instant that is shown can be sent back from any time zone and changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(moments, zones, zones, async (date, zone, time_zone) => {
      const field = oneField(dateField, { zone, viewer: { time_zone }, properties })
      const stored = await field.write({ value: date.toISOString() })
      const again = await field.write({ ...field.read(stored) })
      expect(again).toBe(stored)
      expect(dateField.isSame?.(stored, again)).toBe(true)
    }),
  )
})
