import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  apiDate,
  apiDay,
  hasZone,
  httpDate,
  isTimeZone,
  parseDay,
  parseHttpDate,
  parseInstant,
  parseLooseDate,
  wallClock,
} from './dates.ts'

const read = (text: string, zone = 'UTC') => parseInstant(text, zone)?.toISOString()

test('dates are written with an offset in JSON, and as in RFC 9110 in headers', () => {
  const date = new Date('2026-03-01T09:30:00.999Z')
  expect(apiDate(date)).toBe('2026-03-01T09:30:00+00:00')
  expect(httpDate(date)).toBe('Sun, 01 Mar 2026 09:30:00 GMT')
})

test.each([
  ['2026-03-01T09:30:00+00:00', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30:00-05:30', '2026-03-01T15:00:00.000Z'],
  ['2026-03-01T09:30:00.5+14:00', '2026-02-28T19:30:00.500Z'],
  ['2026-03-01T09:30:00.123999Z', '2026-03-01T09:30:00.123Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('%s is read', (text, instant) => {
  expect(read(text)).toBe(instant)
})

test.each([
  '',
  'now',
  '2026-03-01',
  '2026-03-01T09:30Z',
  '2026-03-01 09:30:00Z',
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:60:00Z',
  '2016-12-31T23:59:60Z',
  '2026-01-01T00:00:00+0100',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00+01:60',
  '2026-01-01T00:00:00.Z',
  '0000-12-31T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '+275761-01-01T00:00:00Z',
  '275761-01-01T00:00:00Z',
  ' 2026-03-01T09:30:00Z',
  '2026-03-01T09:30:00Z\n',
  '٢٠٢٦-03-01T09:30:00Z',
])('%s is not an instant', (text) => {
  expect(read(text)).toBeUndefined()
})

test.each([
  ['2026-03-01T09:30:00', 'Europe/Zurich', '2026-03-01T08:30:00.000Z'],
  ['2026-07-01T09:30:00.25', 'Europe/Zurich', '2026-07-01T07:30:00.250Z'],
  ['2026-07-01T09:30:00', 'Pacific/Kiritimati', '2026-06-30T19:30:00.000Z'],
  ['2026-07-01T09:30:00', 'Asia/Kathmandu', '2026-07-01T03:45:00.000Z'],
  ['2026-07-01T09:30:00', 'Etc/GMT+12', '2026-07-01T21:30:00.000Z'],
  ['0001-01-01T12:00:00', 'America/New_York', '0001-01-01T16:56:02.000Z'],
  ['9999-12-31T12:00:00', 'Asia/Tokyo', '9999-12-31T03:00:00.000Z'],
])('%s in %s is %s', (text, zone, instant) => {
  expect(read(text, zone)).toBe(instant)
})

test.each([
  ['just before', '2026-03-29T01:59:59', '2026-03-29T00:59:59.000Z'],
  ['skipped', '2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
  ['just after', '2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z'],
  ['had twice', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
  ['later that day', '2026-10-25T03:00:00', '2026-10-25T02:00:00.000Z'],
])('when clocks change in Zurich, a time %s is read with the offset before', (_, text, instant) => {
  expect(read(text, 'Europe/Zurich')).toBe(instant)
})

test('a whole day that a zone skipped is read with the offset before', () => {
  expect(read('2011-12-30T12:00:00', 'Pacific/Apia')).toBe('2011-12-30T22:00:00.000Z')
})

test('a zone in the text wins over the zone of the caller', () => {
  expect(read('2026-07-01T09:30:00Z', 'Asia/Tokyo')).toBe('2026-07-01T09:30:00.000Z')
})

test('an API date is read back, cut to the second', () => {
  const dates = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(dates, (date) => {
      expect(parseInstant(apiDate(date), 'Asia/Tokyo')?.getTime()).toBe(Math.floor(date.getTime() / 1000) * 1000)
    }),
  )
})

test('hasZone reports whether a text has a zone', () => {
  expect(hasZone('2026-03-01T09:30:00Z')).toBe(true)
  expect(hasZone('2026-03-01T09:30:00.5-05:00')).toBe(true)
  expect(hasZone('2026-03-01T09:30:00')).toBe(false)
  expect(hasZone('2026-03-01')).toBe(false)
})

test.each([
  ['UTC', true],
  ['Europe/Zurich', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Etc/GMT+12', true],
  ['Mars/Olympus', false],
  ['+01:00', false],
  ['', false],
  ['__proto__', false],
])('isTimeZone(%j) is %s', (name, answer) => {
  expect(isTimeZone(name)).toBe(answer)
})

test.each([
  ['Sun, 01 Mar 2026 09:30:00 GMT', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30:00+00:00', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T10:30:00+01:00', '2026-03-01T09:30:00.000Z'],
  ['2026-03-01T09:30:00', '2026-03-01T09:30:00.000Z'],
  ['Mon, 01 Mar 2026 09:30:00 GMT', undefined],
  ['sun, 01 mar 2026 09:30:00 gmt', undefined],
  ['Sunday, 01-Mar-26 09:30:00 GMT', undefined],
  ['Sun Mar  1 09:30:00 2026', undefined],
  ['Sun, 31 Feb 2026 09:30:00 GMT', undefined],
  ['1772357400', undefined],
  ['2026-03-01', undefined],
  ['', undefined],
])('the date %j of a header is %s', (text, instant) => {
  expect(parseHttpDate(text)?.toISOString()).toBe(instant)
})

test.each([
  ['2026-03-01', 'UTC', '2026-03-01T00:00:00+00:00'],
  ['2026-03-01', 'Europe/Zurich', '2026-03-01T00:00:00+01:00'],
  ['2026-07-01', 'Europe/Zurich', '2026-07-01T00:00:00+02:00'],
  ['2026-03-29', 'Europe/Zurich', '2026-03-29T00:00:00+01:00'],
  ['2026-03-01', 'America/St_Johns', '2026-03-01T00:00:00-03:30'],
  ['2026-03-01', 'Pacific/Kiritimati', '2026-03-01T00:00:00+14:00'],
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T00:00:00-03:00'],
  ['0001-01-01', 'America/New_York', '0001-01-01T00:00:00-04:56'],
  ['9999-12-31', 'Asia/Tokyo', '9999-12-31T00:00:00+09:00'],
])('%s begins in %s at %s', (day, zone, begin) => {
  expect(apiDay(day, zone)).toBe(begin)
  expect(parseDay(begin)).toBe(day)
})

test('days and times are parsed in loose notation', () => {
  const parse = (text: string) => parseLooseDate(text, 'Europe/Zurich')?.toISOString()
  expect(parse('2026-03-01')).toBe('2026-02-28T23:00:00.000Z')
  expect(parse('2026-03-01 14:30')).toBe('2026-03-01T13:30:00.000Z')
  expect(parse('2026-03-01T14:30+0530')).toBe('2026-03-01T09:00:00.000Z')
  expect(parse('2026-03-01T14:30:00.5Z')).toBe('2026-03-01T14:30:00.500Z')
  expect(parse('2026-03-01T14:30:00-08')).toBe('2026-03-01T22:30:00.000Z')
  for (const none of ['', '2026-02-29', '2026-03-01Z', '2026-03-01 14', '2026-03-01 25:00', '1 March 2026'])
    expect(parse(none)).toBeUndefined()
})

test('the wall clock is that of the zone', () => {
  expect(wallClock('Europe/Zurich', new Date('2026-07-01T22:30:59Z'))).toBe('2026-07-02 00:30')
  expect(wallClock('Asia/Tokyo', new Date('9999-12-31T23:00:00Z'))).toBe('9999-12-31 23:59')
})
