import { expect, test } from 'vitest'
import { nextBucket } from './group-choice.ts'

test.each([
  ['2026-02-28', 'day', '2026-03-01'],
  ['2026-12-28', 'week', '2027-01-04'],
  ['2026-12-01', 'month', '2027-01-01'],
  ['2026-10-01', 'quarter', '2027-01-01'],
  ['2024-01-01', 'year', '2025-01-01'],
] as const)('after the group of %s by %s comes %s', (start, bucket, next) => {
  expect(nextBucket(start, bucket)).toBe(next)
})
