import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SEARCHED_FIELD, ASKING, MYSELF, NOW_LITERAL, oneSearch, OPEN } from '../../../test/fixtures/one-search.ts'
import { toLocalDay, wallClock } from '../../platform/wire/dates.ts'
import { dateField } from '../field-types/date/date-field.ts'
import { lastUpdateDateField } from '../field-types/last-update-date/last-update-date-field.ts'
import { submissionDateField } from '../field-types/submission-date/submission-date-field.ts'
import { LITERAL_FORM } from './date-span.ts'
import { type Condition, negation, type NumberRange } from './condition.ts'
import type { QueryLiteral, Period } from './field-search.ts'
import { dayGiven, spanOfNow, spanWritten } from './date-span.ts'

const due = oneSearch(dateField)
const started = oneSearch(dateField, { properties: { display_time: true } })
const changed = oneSearch(lastUpdateDateField)

const FIRST_OF_MARCH = Date.parse('2026-03-01') / 86_400_000
const day = (range: NumberRange = {}): Condition => ({ kind: 'number', field: SEARCHED_FIELD, unit: 'day', ...range })
/** Both in UTC. */
const between = (from?: string, before?: string): Condition => ({
  kind: 'instant',
  fact: 'last_modified_date',
  ...(from !== undefined && { from: new Date(from) }),
  ...(before !== undefined && { before: new Date(before) }),
})

/** The same condition for a field with time. */
function inSeconds(condition: Condition): Condition {
  if (condition.kind === 'not') return negation(inSeconds(condition.of))
  if (condition.kind !== 'instant') return condition
  const { from, before } = condition
  return {
    kind: 'number',
    field: SEARCHED_FIELD,
    unit: 'second',
    ...(from && { from: from.getTime() / 1000 }),
    ...(before && { to: before.getTime() / 1000, isBefore: true }),
  }
}

describe('criteria on a day', () => {
  test.each([
    { operator: '=', value: '2026-03-01', condition: day({ from: FIRST_OF_MARCH, to: FIRST_OF_MARCH }) },
    { operator: 'contains', value: ['2026-03-01'], condition: day({ from: FIRST_OF_MARCH, to: FIRST_OF_MARCH }) },
    // The written day counts, in any time zone.
    { operator: '=', value: '2026-03-01T23:30:00-11:00', condition: day({ from: FIRST_OF_MARCH, to: FIRST_OF_MARCH }) },
    { operator: '>', value: '2026-03-01', condition: day({ from: FIRST_OF_MARCH + 1 }) },
    { operator: '<', value: '2026-03-01', condition: day({ to: FIRST_OF_MARCH - 1 }) },
    {
      operator: 'between',
      value: ['2026-03-01', '2026-03-31'],
      condition: day({ from: FIRST_OF_MARCH, to: FIRST_OF_MARCH + 30 }),
    },
    { operator: '=', value: '9999-12-31', condition: day({ from: 2_932_896, to: 2_932_896 }) },
  ] as const)('$operator $value', async ({ operator, value, condition }) => {
    expect(await due.criterion(operator, value)).toEqual(condition)
  })
})

describe('criteria on an instant', () => {
  test.each([
    { operator: '=', value: '2026-03-01', condition: between('2026-02-28T23:00Z', '2026-03-01T23:00Z') },
    { operator: 'contains', value: ['2026-03-01'], condition: between('2026-02-28T23:00Z', '2026-03-01T23:00Z') },
    { operator: '=', value: '2026-03-01 23:59', condition: between('2026-02-28T23:00Z', '2026-03-01T23:00Z') },
    // In Zurich it is already the next day.
    { operator: '=', value: '2026-03-01T23:30:00+00:00', condition: between('2026-03-01T23:00Z', '2026-03-02T23:00Z') },
    { operator: '=', value: '2026-03-01 23:30-01', condition: between('2026-03-01T23:00Z', '2026-03-02T23:00Z') },
    { operator: '>', value: '2026-03-01', condition: between('2026-03-01T23:00Z') },
    { operator: '<', value: '2026-03-01', condition: between(undefined, '2026-02-28T23:00Z') },
    {
      operator: 'between',
      value: ['2026-03-01', '2026-03-31'],
      condition: between('2026-02-28T23:00Z', '2026-03-31T22:00Z'),
    },
    // The days of the clock changes have 23 and 25 hours.
    { operator: '=', value: '2026-03-29', condition: between('2026-03-28T23:00Z', '2026-03-29T22:00Z') },
    { operator: '=', value: '2026-10-25', condition: between('2026-10-24T22:00Z', '2026-10-25T23:00Z') },
  ] as const)('$operator $value', async ({ operator, value, condition }) => {
    expect(await changed.criterion(operator, value)).toEqual(condition)
    expect(await started.criterion(operator, value)).toEqual(inSeconds(condition))
  })

  test('a day that a time zone skipped matches nothing', async () => {
    const inApia = oneSearch(submissionDateField, {}, { ...ASKING, zone: 'Pacific/Apia' })
    const skipped = new Date('2011-12-30T10:00Z')
    expect(await inApia.criterion('=', '2011-12-30')).toMatchObject({ from: skipped, before: skipped })
  })

  test('a day starts with its first existing hour', async () => {
    const inSantiago = oneSearch(submissionDateField, {}, { ...ASKING, zone: 'America/Santiago' })
    expect(await inSantiago.criterion('=', '2026-09-06')).toMatchObject({
      from: new Date('2026-09-06T04:00Z'),
      before: new Date('2026-09-07T03:00Z'),
    })
  })
})

describe('a criterion without its dates is dropped', () => {
  test.each([
    { operator: '=', value: 'tomorrow' },
    { operator: '=', value: '2026-02-30' },
    { operator: '=', value: '' },
    { operator: '=', value: 1_772_323_200 },
    { operator: '=', value: true },
    { operator: 'contains', value: ['2026-03-01', '2026-03-02'] },
    { operator: '>', value: [] },
    { operator: '<', value: ['2026-02-30'] },
    { operator: 'between', value: '2026-03-01' },
    { operator: 'between', value: ['2026-03-01'] },
    { operator: 'between', value: ['2026-03-01', 'tomorrow'] },
    { operator: 'between', value: ['2026-03-01', '2026-03-02', '2026-03-03'] },
  ] as const)('$operator $value', async ({ operator, value }) => {
    for (const field of [due, started, changed]) expect(await field.criterion(operator, value)).toBeUndefined()
  })
})

const ago = (count: number, unit: Period['unit']): QueryLiteral => ({ kind: 'now', period: { count: -count, unit } })

describe('comparisons of a day', () => {
  test.each([
    { is: '=', literals: ['2026-03-01'], condition: day({ from: FIRST_OF_MARCH, to: FIRST_OF_MARCH }) },
    { is: '!=', literals: ['2026-03-01'], condition: negation(day({ from: FIRST_OF_MARCH, to: FIRST_OF_MARCH })) },
    { is: '<', literals: ['2026-03-01'], condition: day({ to: FIRST_OF_MARCH - 1 }) },
    { is: '<=', literals: ['2026-03-01'], condition: day({ to: FIRST_OF_MARCH }) },
    { is: '>', literals: ['2026-03-01'], condition: day({ from: FIRST_OF_MARCH + 1 }) },
    { is: '>=', literals: ['2026-03-01'], condition: day({ from: FIRST_OF_MARCH }) },
    {
      is: 'BETWEEN',
      literals: ['2026-03-01', '2026-03-31'],
      condition: day({ from: FIRST_OF_MARCH, to: FIRST_OF_MARCH + 30 }),
    },
    { is: '=', literals: [NOW_LITERAL], condition: day({ from: FIRST_OF_MARCH, to: FIRST_OF_MARCH }) },
    { is: '<', literals: [ago(1, 'w')], condition: day({ to: FIRST_OF_MARCH - 8 }) },
    { is: '=', literals: [''], condition: negation(day()) },
    { is: '!=', literals: [''], condition: day() },
  ] as const)('$is $literals', async ({ is, literals, condition }) => {
    expect(await due.compare(is, ...literals)).toEqual(condition)
  })

  test("today is the day in the caller's time zone", async () => {
    const asking = { ...ASKING, now: new Date('2026-02-28T23:30Z') }
    expect(await oneSearch(dateField, {}, asking).compare('=', NOW_LITERAL)).toMatchObject({ from: FIRST_OF_MARCH })
    const inUtc = oneSearch(dateField, {}, { ...asking, zone: 'UTC' })
    expect(await inUtc.compare('=', NOW_LITERAL)).toMatchObject({ from: FIRST_OF_MARCH - 1 })
  })

  test('a time is refused', async () => {
    const refusal = { reason: 'value_invalid', cause: 'date', params: { value: '2026-03-01 14:30', ...LITERAL_FORM } }
    expect(await due.compare('=', '2026-03-01 14:30')).toEqual(refusal)
  })
})

describe('comparisons of an instant', () => {
  test.each([
    { is: '=', literals: ['2026-03-01'], condition: between('2026-02-28T23:00Z', '2026-03-01T23:00Z') },
    { is: '=', literals: ['2026-03-01 14:30'], condition: between('2026-03-01T13:30Z', '2026-03-01T13:31Z') },
    {
      is: '!=',
      literals: ['2026-03-01 14:30'],
      condition: negation(between('2026-03-01T13:30Z', '2026-03-01T13:31Z')),
    },
    { is: '<', literals: ['2026-03-01 14:30'], condition: between(undefined, '2026-03-01T13:30Z') },
    { is: '<=', literals: ['2026-03-01 14:30'], condition: between(undefined, '2026-03-01T13:31Z') },
    { is: '<=', literals: ['2026-03-01'], condition: between(undefined, '2026-03-01T23:00Z') },
    { is: '>', literals: ['2026-03-01 14:30'], condition: between('2026-03-01T13:31Z') },
    { is: '>', literals: ['2026-03-01'], condition: between('2026-03-01T23:00Z') },
    { is: '>=', literals: ['2026-03-01 14:30'], condition: between('2026-03-01T13:30Z') },
    {
      is: 'BETWEEN',
      literals: ['2026-03-01', '2026-03-02 14:30'],
      condition: between('2026-02-28T23:00Z', '2026-03-02T13:31Z'),
    },
    { is: '=', literals: [NOW_LITERAL], condition: between('2026-03-01T09:30Z', '2026-03-01T09:31Z') },
    { is: '>=', literals: [ago(1, 'w')], condition: between('2026-02-22T09:30Z') },
    // The local time is the same across the clock change.
    { is: '>=', literals: [ago(6, 'm')], condition: between('2025-09-01T08:30Z') },
  ] as const)('$is $literals', async ({ is, literals, condition }) => {
    expect(await changed.compare(is, ...literals)).toEqual(condition)
    expect(await started.compare(is, ...literals)).toEqual(inSeconds(condition))
  })

  test('a field may be empty, but metadata dates are always set', async () => {
    expect(await started.compare('=', '')).toEqual(negation(inSeconds(between())))
    expect(await changed.compare('=', '')).toEqual({
      reason: 'value_invalid',
      cause: 'date',
      params: { value: '', ...LITERAL_FORM },
    })
  })
})

describe('for every comparison,', () => {
  test.each(['<', '<=', '>', '>='] as const)('the empty text cannot be ordered: %s', async (operator) => {
    const refusal = { reason: 'query_operator', cause: 'empty_string', params: { operator } }
    for (const field of [due, started, changed]) expect(await field.compare(operator, '')).toEqual(refusal)
  })

  test.each(['tomorrow', '2026-02-30', '2026-3-1', '2026-03-01T14:30', '2026-03-01 24:00', '01.03.2026'])(
    '%s is not a date',
    async (value) => {
      const refusal = { reason: 'value_invalid', cause: 'date', params: { value, ...LITERAL_FORM } }
      for (const field of [due, started, changed]) expect(await field.compare('=', value)).toEqual(refusal)
    },
  )

  test('a number is not a date', async () => {
    const refusal = { reason: 'value_invalid', cause: 'date', params: { value: '2026', ...LITERAL_FORM } }
    for (const field of [due, started, changed]) expect(await field.compare('=', 2026)).toEqual(refusal)
  })

  test.each([ago(3000, 'y'), ago(-9999, 'y'), ago(1e18, 'd'), ago(-1e300, 'm')])(
    'years outside the range are refused',
    async (literal) => {
      const refusal = { reason: 'value_invalid', cause: 'date', params: { value: 'NOW()', ...LITERAL_FORM } }
      for (const field of [due, started, changed]) expect(await field.compare('=', literal)).toEqual(refusal)
    },
  )

  test.each([MYSELF, OPEN])('$kind is not a date', async (literal) => {
    const refusal = { reason: 'query_operator', cause: 'function' }
    for (const field of [due, started, changed]) expect(await field.compare('=', literal)).toMatchObject(refusal)
  })
})

test.each([
  { now: '2026-01-31', count: 1, unit: 'm', day: '2026-02-28' },
  { now: '2024-02-29', count: 1, unit: 'y', day: '2025-02-28' },
  { now: '2024-02-29', count: -4, unit: 'y', day: '2020-02-29' },
  { now: '2026-01-15', count: -1, unit: 'm', day: '2025-12-15' },
  { now: '2026-12-31', count: 2, unit: 'm', day: '2027-02-28' },
  { now: '2026-02-28', count: 1, unit: 'd', day: '2026-03-01' },
  { now: '2026-02-28', count: -2, unit: 'w', day: '2026-02-14' },
  { now: '0101-01-01', count: -100, unit: 'y', day: '0001-01-01' },
] as const)('$now and $count$unit is $day', ({ now, count, unit, day: expected }) => {
  const calendar = { isTimed: false, zone: 'UTC' }
  expect(spanOfNow(new Date(`${now}T12:00Z`), { count, unit }, calendar)).toEqual(spanWritten(expected, calendar))
})

test('dates are sorted by', () => {
  expect(due.sortedBy()).toEqual({ kind: 'number', field: 111, unit: 'day' })
  expect(started.sortedBy()).toEqual({ kind: 'number', field: 111, unit: 'second' })
  expect(changed.sortedBy()).toEqual({ kind: 'fact', fact: 'last_modified_date' })
  expect(oneSearch(submissionDateField).sortedBy()).toEqual({ kind: 'fact', fact: 'submitted_on' })
})

// Time zones that never set clocks back across midnight, which would split a day.
const zones = fc.constantFrom(
  'UTC',
  'Europe/Zurich',
  'America/New_York',
  'America/Santiago',
  'America/Havana',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
)
const moments = fc.date({ min: new Date('2012-01-01'), max: new Date('2037-12-31'), noInvalidDate: true })

test('every moment is in exactly one day and one minute, in every time zone', () => {
  fc.assert(
    fc.property(moments, zones, (moment, zone) => {
      const calendar = { isTimed: true, zone }
      const today = dayGiven(toLocalDay(zone, moment), calendar)
      expect(today?.start).toBeLessThanOrEqual(moment.getTime())
      expect(today?.end).toBeGreaterThan(moment.getTime())
      const before = new Date((today?.start ?? 0) - 1)
      expect(dayGiven(toLocalDay(zone, before), calendar)?.end).toBe(today?.start)
      const minute = spanWritten(wallClock(zone, moment), calendar)
      // An ambiguous hour resolves to its first occurrence.
      expect([0, 1800, 3600].map((seconds) => (minute?.start ?? 0) + seconds * 1000)).toContain(
        Math.floor(moment.getTime() / 60_000) * 60_000,
      )
    }),
  )
})
