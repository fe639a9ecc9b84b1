import { expect, test } from 'vitest'
import { changeInDays } from './trend.ts'

test('the trend compares today with the count of seven days before', () => {
  expect(changeInDays([9, 2, 3, 4, 4, 4, 4, 4, 5], 7)).toBe(3)
  expect(changeInDays([4, 4, 4, 4, 4, 4, 4, 4], 7)).toBe(0)
})

test('without counts of seven days there is no trend', () => {
  expect(changeInDays([1, 2, 3], 7)).toBeUndefined()
  expect(changeInDays([], 7)).toBeUndefined()
})
