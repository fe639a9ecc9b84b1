import { appendFileSync, existsSync, readFileSync } from 'node:fs'

export type Verdict = 'killed' | 'timeout' | 'survived' | 'unclear'

/** A test, as file and name, and the digest of its file: a changed test counts as another one. */
export interface TestVersion {
  readonly by: string
  readonly version: string
}

/** A line of the file of results. A mutant can have several; `killed` and `timeout` end the search. */
export interface Result extends TestVersion {
  readonly id: string
  readonly verdict: Verdict
}

/** Which faults a test reaches. None, if it cannot be repeated. */
export interface Reach extends TestVersion {
  readonly reached: readonly string[]
  /** The duration of the second try, with the preparation of its data. */
  readonly duration_ms: number
}

export function readLines<T>(file: string): T[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  // The last line may be cut off, if the run was killed.
  return lines.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []))
}

export function appendLine(file: string, line: Result | Reach): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`)
}

export function isDead(verdict: Verdict | undefined): boolean {
  return verdict === 'killed' || verdict === 'timeout'
}

/** The best that is known of each: a mutant that one test kills is killed. */
export function bestVerdicts(results: readonly Result[]): Map<string, Verdict> {
  const order: Verdict[] = ['survived', 'unclear', 'timeout', 'killed']
  const best = new Map<string, Verdict>()
  for (const { id, verdict } of results)
    if (order.indexOf(verdict) >= order.indexOf(best.get(id) ?? 'survived')) best.set(id, verdict)
  return best
}
