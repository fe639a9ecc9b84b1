import { expect, test } from 'vitest'
import { isStable, warmUpLoad } from './warm-up.ts'

test('a rate is stable when three windows are like the three before, whatever one of them is', () => {
  expect(isStable([100, 101, 99, 100, 102])).toBe(false)
  expect(isStable([100, 101, 99, 100, 102, 98])).toBe(true)
  expect(isStable([100, 101, 99, 100, 20, 98])).toBe(true)
  expect(isStable([10, 20, 40, 60, 80, 90])).toBe(false)
})

test('the warm-up ends when the rate no longer rises', async () => {
  const rates = [10, 20, 40, 60, 80, 90, 100, 100, 100, 100, 100, 100]
  let turn = 0
  expect(await warmUpLoad(async () => rates[turn++] ?? 0, 30)).toEqual({ seconds: 11, isStable: true })
})

test('a rate that always rises ends at the limit', async () => {
  let rate = 1
  expect(await warmUpLoad(async () => (rate *= 1.1), 6)).toEqual({ seconds: 6, isStable: false })
})
