import { expect, test } from 'vitest'
import { dayOptions } from './day-options.ts'

const wednesday = new Date(2026, 10, 18)
const ids = (typed: string) => dayOptions(typed, wednesday).map(({ id }) => id)

test('days near to today are offered first', () => {
  expect(ids('')).toEqual(['2026-11-18', '2026-11-19', '2026-11-20', '2026-11-25', '2026-12-02'])
  expect(ids('tom')).toEqual(['2026-11-19'])
})

test('a day can be typed in the usual forms, and is the next one if its month or year is missing', () => {
  const typed = ['20', '5', '20.11.', '3/2', '24.12.2027', '2026-11-30', '1.1.']
  expect(typed.flatMap(ids)).toEqual([
    '2026-11-20',
    '2026-12-05',
    '2026-11-20',
    '2027-02-03',
    '2027-12-24',
    '2026-11-30',
    '2027-01-01',
  ])
})

test('a day that does not exist is not offered', () => {
  expect([...ids('31.2.2027'), ...ids('99'), ...ids('xyz')]).toEqual([])
})
