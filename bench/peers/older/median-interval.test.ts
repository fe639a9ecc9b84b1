import { expect, test } from 'vitest'
import { medianInterval } from './median-interval.ts'

test('the interval of fifteen rounds leaves out three values on each side', () => {
  const values = Array.from({ length: 15 }, (_, index) => index + 1).toReversed()
  expect(medianInterval(values)).toEqual([4, 12]) // As in tables of the sign test: 96.5 %.
})

test('the interval of six rounds is the whole range, and fewer are refused', () => {
  expect(medianInterval([3, 1, 2, 6, 5, 4])).toEqual([1, 6])
  expect(() => medianInterval([1, 2, 3, 4, 5])).toThrow('6 rounds')
})
