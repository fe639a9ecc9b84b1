import { expect, test } from 'vitest'
import { CRATE_FIELDS, sampleTracker } from '../../../test/fixtures/sample-tracker.ts'
import type { DateComparator, StoredValues } from '../tracker.ts'
import { checkDateRules } from './date-rules.ts'

const { started, due, submitted } = CRATE_FIELDS
const times = {
  submitted_on: new Date('2026-03-05T10:00:30Z'),
  last_modified_date: new Date('2026-03-06T10:00:00Z'),
  dayZone: 'UTC',
}
const between = (source: typeof due, comparator: DateComparator, target: typeof due) =>
  sampleTracker({ rules: { dates: [{ source, comparator, target }], lists: [] } })
const holds = (tracker: ReturnType<typeof sampleTracker>, values: StoredValues, zone = 'UTC') =>
  checkDateRules({ tracker, mayRead: () => true }, values, { ...times, dayZone: zone }).length === 0

test.each<[string, DateComparator, string, boolean]>([
  ['2026-03-01', '<', '2026-03-02', true],
  ['2026-03-02', '<', '2026-03-02', false],
  ['2026-03-02', '≤', '2026-03-02', true],
  ['2026-03-03', '≤', '2026-03-02', false],
  ['2026-03-02', '=', '2026-03-02', true],
  ['2026-03-02', '=', '2026-03-03', false],
  ['2026-03-02', '≥', '2026-03-02', true],
  ['2026-03-01', '≥', '2026-03-02', false],
  ['2026-03-03', '>', '2026-03-02', true],
  ['2026-03-02', '>', '2026-03-02', false],
  ['2026-03-03', '≠', '2026-03-02', true],
  ['2026-03-02', '≠', '2026-03-02', false],
])('days: %s %s %s is %s', (source, comparator, target, expected) => {
  expect(holds(between(started, comparator, due), { [started]: source, [due]: target })).toBe(expected)
})

test.each([
  { values: {} },
  { values: { [started]: null, [due]: '2026-03-01' } },
  { values: { [started]: '2026-03-02T10:00:00.000Z' } },
])('a rule holds if a side is empty: $values', ({ values }) => {
  expect(holds(between(started, '<', due), values)).toBe(true)
})

test('if one side is a day, both are compared as days in the time zone of the platform', () => {
  const values = { [started]: '2026-03-01T23:30:00.000Z', [due]: '2026-03-01' }

  expect(holds(between(started, '=', due), values)).toBe(true)
  expect(holds(between(started, '=', due), values, 'Europe/Berlin')).toBe(false)
})

test('instants are compared to the minute', () => {
  const tracker = between(started, '=', submitted)

  expect(holds(tracker, { [started]: '2026-03-05T10:00:00.000Z' })).toBe(true)
  expect(holds(tracker, { [started]: '2026-03-05T10:01:00.000Z' })).toBe(false)
})

test('a problem names both fields and the comparator', () => {
  const tracker = between(started, '≤', due)
  const values = { [started]: '2026-03-03', [due]: '2026-03-02' }

  expect(checkDateRules({ tracker, mayRead: () => true }, values, times)).toEqual([
    {
      reason: 'rule_violated',
      cause: 'date_rule',
      field_id: started,
      name: 'started',
      label: 'Started',
      params: { source: 'Started', comparator: '≤', target: 'Due' },
    },
  ])
  expect(checkDateRules({ tracker, mayRead: ({ id }) => id !== due }, values, times)).toEqual([
    { reason: 'rule_violated', cause: 'hidden_rule' },
  ])
})

test('every violated rule is reported', () => {
  const values = { [started]: '2026-03-03T00:00:00.000Z', [due]: '2026-03-02' }

  expect(checkDateRules({ tracker: sampleTracker(), mayRead: () => true }, values, times)).toHaveLength(2)
})
