import { expect, test } from 'vitest'
import { dayTicks } from './day-ticks.ts'

test.each([
  [31, 11, [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30]],
  [31, 5, [6, 14, 22, 30]],
  [91, 8, [12, 25, 38, 51, 64, 77, 90]],
  [2, 9, [0, 1]],
  [1, 9, [0]],
  [0, 9, []],
  [31, 1, [0, 30]],
])('%i days with space for %i names always name the last day', (count, fitting, expected) => {
  expect(dayTicks(count, fitting)).toEqual(expected)
})
