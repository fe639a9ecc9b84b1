import { expect, test } from 'vitest'
import { planTries } from './plan.ts'
import type { Result } from './results.ts'

const REACHES = [
  { by: 'wide', version: 'v1', reached: ['a#1', 'b#1', 'c#1'], duration_ms: 900 },
  { by: 'narrow', version: 'v1', reached: ['a#1'], duration_ms: 900 },
  { by: 'once', version: 'v1', reached: [], duration_ms: 900 },
]
const result = (id: string, verdict: Result['verdict'], by: string, version = 'v1') => ({ id, verdict, by, version })

test('a mutant is tried with the test that reaches the fewest others', () => {
  expect(planTries(['a#1', 'b#1', 'd#1'], REACHES, [], 1)).toEqual({ narrow: ['a#1'], wide: ['b#1'] })
  expect(planTries(['a#1', 'b#1', 'd#1'], REACHES, [], 2)).toEqual({ narrow: ['a#1'], wide: ['a#1', 'b#1'] })
})

test('of two tests, the one that reaches more of the file comes first', () => {
  const reaches = [
    { by: 'narrow', version: 'v1', reached: ['x.ts#1#0'], duration_ms: 900 },
    { by: 'thorough', version: 'v1', reached: ['x.ts#1#0', 'x.ts#1#1', 'y.ts#1#0'], duration_ms: 900 },
  ]
  expect(planTries(['x.ts#1#0'], reaches, [], 1)).toEqual({ thorough: ['x.ts#1#0'] })
})

test('quick tests are tried in any case', () => {
  const quick = { by: 'quick', version: 'v1', reached: ['a#1'], duration_ms: 4 }
  expect(planTries(['a#1', 'b#1'], [...REACHES, quick], [], 1)).toEqual({
    narrow: ['a#1'],
    quick: ['a#1'],
    wide: ['b#1'],
  })
})

test('a mutant that was killed, or tried with this version of the test, is not tried again', () => {
  const results = [
    result('b#1', 'timeout', 'narrow'),
    result('a#1', 'survived', 'narrow'),
    result('c#1', 'survived', 'wide', 'v0'),
  ]
  expect(planTries(['a#1', 'b#1', 'c#1'], REACHES, results, 2)).toEqual({ wide: ['a#1', 'c#1'] })
})

test('a mutant that has damaged a test comes last', () => {
  expect(planTries(['a#1', 'b#1'], REACHES, [result('a#1', 'unclear', 'narrow')], 2)).toEqual({ wide: ['b#1', 'a#1'] })
})
