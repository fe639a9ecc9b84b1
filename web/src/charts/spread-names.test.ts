import { expect, test } from 'vitest'
import { spreadNames } from './spread-names.ts'

const chart = { line: 20, from: 0, to: 200 }

test('names stay at the ends of their lines where there is space', () => {
  expect(spreadNames([150, 20, 80], chart)).toEqual([150, 20, 80])
})

test('names of lines that end together move apart, in the order of their lines', () => {
  const placed = spreadNames([100, 100, 104, 95], chart)
  expect(placed.toSorted((one, other) => one - other)).toEqual([95, 115, 135, 155])
  expect(placed[3]).toBe(95)
  expect(placed[2]).toBe(155)
})

test('names at the bottom move up, and at the top down, so that all are inside', () => {
  expect(spreadNames([198, 199, 0], chart)).toEqual([170, 190, 10])
})

test('as many names as fit never overlap', () => {
  const placed = spreadNames(
    Array.from({ length: 10 }, (_, at) => (at * 37) % 200),
    chart,
  )
  const sorted = placed.toSorted((one, other) => one - other)
  for (const [at, y] of sorted.entries()) expect(y - (sorted[at - 1] ?? -10)).toBeGreaterThanOrEqual(20)
  expect(sorted.at(-1)).toBeLessThanOrEqual(190)
})
