import type { ArtifactFigures } from './artifacts/run.ts'
import type { QueryFigures } from './queries/run.ts'

/** At least this share of what PostgreSQL does alone with the same statements. */
export const LEAST_RATIOS: Readonly<Record<string, number>> = {
  'GET /artifacts/{id}': 0.25,
  'PUT, If-Match': 0.4,
  'POST /artifacts': 0.4,
  list: 0.4,
  sorted: 0.4,
}
/** In ms, for 95 of 100. */
export const SLOWEST_QUERY = 200
export const TIMED_QUERIES: readonly string[] = ['text', 'dates', 'linked', 'mine']
const WIDEST_GROWTH = 2

/** What we promise of artifacts and does not hold, one sentence each. */
export function brokenByArtifacts({ operations }: Pick<ArtifactFigures, 'operations'>): string[] {
  return operations
    .filter(({ role }) => role === 'member')
    .flatMap(({ operation, main_ratio }) => ratioBroken(operation, LEAST_RATIOS[operation], main_ratio))
}

/** The same of queries. */
export function brokenByQueries({ questions, growth }: Pick<QueryFigures, 'questions' | 'growth'>): string[] {
  return [
    ...questions.flatMap(({ question, name, main_ratio }) => ratioBroken(question, LEAST_RATIOS[name], main_ratio)),
    ...questions
      .filter(({ name, p95_ms }) => TIMED_QUERIES.includes(name) && p95_ms > SLOWEST_QUERY)
      .map(({ question, p95_ms }) => `${question}: 95 of 100 within ${p95_ms} ms instead of ${SLOWEST_QUERY}`),
    ...growth
      .filter(({ ratio }) => ratio > WIDEST_GROWTH)
      .map(({ question, ratio }) => `${question}: ${ratio} times as long at the larger size, not ${WIDEST_GROWTH}`),
  ]
}

function ratioBroken(what: string, least: number | undefined, ratio: number | null): string[] {
  return least === undefined || ratio === null || ratio >= least
    ? []
    : [`${what}: ${ratio} of what the engine does instead of ${least}`]
}
