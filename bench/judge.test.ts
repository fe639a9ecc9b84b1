import { expect, test } from 'vitest'
import { brokenByArtifacts, brokenByQueries } from './judge.ts'

const operation = (main_ratio: number | null, role: 'member' | 'admin' = 'member') => ({
  operation: 'PUT, If-Match',
  role,
  per_second: 400,
  spread: [400, 400] as const,
  p50_ms: 3,
  p95_ms: 9,
  p99_ms: 12,
  engine: 900,
  engine_spread: [900, 900] as const,
  engine_plan: 'auto' as const,
  main_ratio,
  row: 9000,
  row_ratio: 0.04,
  server_cpu: 0.7,
  database_cpu: 0.7,
  server_ms: 1.2,
  database_ms: 1.4,
  is_stable: true,
})
const question = (p95_ms: number) => ({
  ...operation(null),
  question: 'dates of a month',
  name: 'dates',
  hits: 9,
  p95_ms,
})
const growth = (ratio: number) => [
  {
    question: 'list',
    small: 10_000,
    large: 1_000_000,
    rate: 9,
    small_p50_ms: 10,
    large_p50_ms: 10 * ratio,
    ratio,
    cpu_ratio: 1,
    sizes: [],
  },
]

test('a write that is slow compared with the engine breaks its promise, independent of other operations', () => {
  expect(brokenByArtifacts({ operations: [operation(0.39), operation(0.1, 'admin')] })).toEqual([
    'PUT, If-Match: 0.39 of what the engine does instead of 0.4',
  ])
  expect(brokenByArtifacts({ operations: [operation(0.4), operation(null)] })).toEqual([])
})

test('a slow query and a query whose time grows break their promises', () => {
  const asOf = (ratio: number | null) => [{ query: 'a = 1', now_p50_ms: 10, past_p50_ms: null, ratio }]
  expect(brokenByQueries({ questions: [question(201)], growth: growth(2.1), as_of: asOf(3.1) })).toHaveLength(3)
  expect(brokenByQueries({ questions: [], growth: [], as_of: asOf(null) })).toHaveLength(1)
  expect(brokenByQueries({ questions: [question(200)], growth: growth(2), as_of: asOf(3) })).toEqual([])
})
