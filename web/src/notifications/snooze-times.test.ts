import { expect, test } from 'vitest'
import { snoozeTimes } from './snooze-times.ts'

const timesAt = (...now: [number, number, number, number]) =>
  snoozeTimes(new Date(...now)).map(({ name, until }) => [name, until.toDateString(), until.getHours()])

test('an entry can come back later today, tomorrow morning, and on Monday', () => {
  expect(timesAt(2026, 10, 17, 9)).toEqual([
    ['later', 'Tue Nov 17 2026', 12],
    ['tomorrow', 'Wed Nov 18 2026', 8],
    ['next_week', 'Mon Nov 23 2026', 8],
  ])
})

test('there is no later in the evening', () => {
  expect(timesAt(2026, 10, 17, 19).map(([name]) => name)).toEqual(['tomorrow', 'next_week'])
})

test('on Sunday, next week begins tomorrow; on Monday, it is the following one', () => {
  expect(timesAt(2026, 10, 22, 9).map(([name]) => name)).toEqual(['later', 'tomorrow'])
  expect(timesAt(2026, 10, 23, 9).at(-1)).toEqual(['next_week', 'Mon Nov 30 2026', 8])
})
