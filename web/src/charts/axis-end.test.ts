import { expect, test } from 'vitest'
import { endOfAxis } from './axis-end.ts'

test.each([
  [0, 1],
  [5, 5],
  [23, 25],
  [25, 25],
  [26, 30],
  [600, 600],
])('an axis for values up to %i ends at %i', (most, expected) => {
  expect(endOfAxis(most, [1, 2, 5, 10, 20])).toBe(expected)
})
