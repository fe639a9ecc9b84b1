import { expect, test } from 'vitest'
import { brokenByPages } from './budgets.ts'

const figure = (p95: number) => ({ measure: 'board' as const, count: 10, p50: 1, p95 })

test('a board that is too slow breaks its budget, and the message names both numbers', () => {
  expect(brokenByPages([figure(500)])).toEqual([])
  expect(brokenByPages([figure(501)])).toEqual([
    'board of 500 cards, from the table, first paint: 501 ms instead of 500',
  ])
})
