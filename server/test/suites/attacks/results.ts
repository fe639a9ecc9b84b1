import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { table } from '../../../src/commands/print.ts'
import type { Case } from './catalogue.ts'

/** The used part of Vitest's report. */
const Report = Type.Object({
  testResults: Type.Array(
    Type.Object({
      status: Type.String(),
      assertionResults: Type.Array(Type.Object({ title: Type.String(), status: Type.String() })),
    }),
  ),
})

interface Result {
  readonly passed: number
  readonly failed: number
}

export interface CaseReport {
  readonly tried: string
  readonly waiting: string
  /** Cases that failed, or without a test that ran. */
  readonly broken: readonly string[]
}

/** The result of a test run per case. A case without a test that ran is a failure. */
export function evaluateCases(cases: readonly Case[], report: unknown): CaseReport {
  const results = resultsOf(Value.Parse(Report, report))
  const tested = cases.filter(({ files }) => files.length > 0)
  const rows = tested.map(({ id, files }) => {
    const { passed, failed } = results.get(id) ?? { passed: 0, failed: 0 }
    const result = failed > 0 ? 'FAILED' : passed > 0 ? 'holds' : 'NOT RUN'
    return { id, cells: [id, 'tested', String(passed + failed), result, files.map(shortened).join(' ')], result }
  })
  const waiting = cases.filter(({ files }) => files.length === 0)
  return {
    tried: table([['id', 'state', 'tests', 'result', 'where'], ...rows.map(({ cells }) => cells)]),
    waiting: table([['id', 'state'], ...waiting.map(({ id, state }) => [id, state])]),
    broken: rows.filter(({ result }) => result !== 'holds').map(({ id }) => id),
  }
}

function resultsOf({ testResults }: Static<typeof Report>): Map<string, Result> {
  const found = new Map<string, Result>()
  for (const { title, status } of testResults.flatMap(({ assertionResults }) => assertionResults)) {
    const id = /^([A-Z]\d\d)(?:\/[\w-]+)? /.exec(title)?.[1]
    if (id === undefined || !['passed', 'failed'].includes(status)) continue
    const { passed, failed } = found.get(id) ?? { passed: 0, failed: 0 }
    found.set(id, status === 'passed' ? { passed: passed + 1, failed } : { passed, failed: failed + 1 })
  }
  return found
}

function shortened(file: string): string {
  return file.replace(/^server\//, '').replace(/\.test\.ts$/, '')
}
