import { expect, test } from 'vitest'
import { evaluateCases } from './results.ts'

const CASES = [
  { id: 'A01', state: 'tested: `a.test.ts`', files: ['server/a.test.ts'] },
  { id: 'A02', state: 'tested: `a.test.ts`', files: ['server/a.test.ts'] },
  { id: 'S04', state: 'waits for: release', files: [] },
]

const report = (...assertionResults: { title: string; status: string }[]) => ({
  testResults: [{ status: 'passed', assertionResults }],
})

test('a case holds when all its tests passed', () => {
  const { broken, tried, waiting } = evaluateCases(
    CASES,
    report(
      { title: 'A01 is refused', status: 'passed' },
      { title: 'A01/head too', status: 'passed' },
      { title: 'A02 x', status: 'passed' },
    ),
  )
  expect(broken).toEqual([])
  expect(tried).toMatch(/^A01 +tested +2 +holds/m)
  expect(waiting).toMatch(/^S04 +waits for: release$/m)
})

test.each([
  [
    'one of its tests failed',
    [
      { title: 'A01 x', status: 'passed' },
      { title: 'A01/b x', status: 'failed' },
    ],
  ],
  ['its test was skipped', [{ title: 'A01 x', status: 'skipped' }]],
  ['nothing was run for it', []],
])('a case fails when %s', (_, results) => {
  expect(evaluateCases(CASES, report({ title: 'A02 x', status: 'passed' }, ...results)).broken).toEqual(['A01'])
})
