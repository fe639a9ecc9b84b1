import { expect, test } from 'vitest'
import { addDays, dueText, endOfWeek, localDay } from './due-day.tsx'

test.each([
  ['2026-11-16', 'Yesterday'],
  ['2026-11-17', 'Today'],
  ['2026-11-18', 'Tomorrow'],
  ['2026-11-19', 'Thursday'],
  ['2026-11-23', 'Monday'],
  ['2026-11-24', 'Nov 24'],
  ['2026-11-15', 'Nov 15'],
  ['2027-01-02', 'Jan 2, 2027'],
])('on 17 November 2026, %s is said as %s', (day, said) => {
  expect(dueText(day, '2026-11-17')).toBe(said)
})

test('a week ends on Sunday', () => {
  expect(['2026-11-16', '2026-11-17', '2026-11-22'].map(endOfWeek)).toEqual(['2026-11-22', '2026-11-22', '2026-11-22'])
})

test('days are counted across a change of the clock and of the year', () => {
  expect(addDays('2026-10-24', 2)).toBe('2026-10-26')
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(localDay(new Date(2026, 9, 25, 0, 30))).toBe('2026-10-25')
})
