import type { ArtifactFigures } from './artifacts/run.ts'
import type { QueryFigures } from './queries/run.ts'

/** The minimum share of the throughput of PostgreSQL alone with the same statements. */
export const MIN_RATIOS: Readonly<Record<string, number>> = {
  'GET /artifacts/{id}': 0.25,
  'PUT, If-Match': 0.4,
  'POST /artifacts': 0.4,
  list: 0.4,
  sorted: 0.4,
}
/** The 95th percentile in ms. */
export const MAX_QUERY_P95_MS = 200
export const TIMED_QUERIES: readonly string[] = ['text', 'dates', 'linked', 'mine']
const MAX_GROWTH_RATIO = 2
const MAX_AS_OF_RATIO = 3

/** The broken promises for artifacts, one sentence each. */
export function brokenByArtifacts({ operations }: Pick<ArtifactFigures, 'operations'>): string[] {
  return operations
    .filter(({ role }) => role === 'member')
    .flatMap(({ operation, main_ratio }) => ratioBroken(operation, MIN_RATIOS[operation], main_ratio))
}

/** The broken promises for queries. */
export function brokenByQueries({
  questions,
  growth,
  as_of,
}: Pick<QueryFigures, 'questions' | 'growth' | 'as_of'>): string[] {
  return [
    ...questions.flatMap(({ question, name, main_ratio }) => ratioBroken(question, MIN_RATIOS[name], main_ratio)),
    ...questions
      .filter(({ name, p95_ms }) => TIMED_QUERIES.includes(name) && p95_ms > MAX_QUERY_P95_MS)
      .map(({ question, p95_ms }) => `${question}: 95 of 100 within ${p95_ms} ms instead of ${MAX_QUERY_P95_MS}`),
    ...growth
      .filter(({ ratio }) => ratio > MAX_GROWTH_RATIO)
      .map(({ question, ratio }) => `${question}: ${ratio} times as long at the larger size, not ${MAX_GROWTH_RATIO}`),
    ...as_of
      .filter(({ ratio }) => ratio === null || ratio > MAX_AS_OF_RATIO)
      .map(
        ({ query, ratio }) =>
          `${query}: yesterday takes ${ratio ?? 'too many'} times as long as now, not ${MAX_AS_OF_RATIO}`,
      ),
  ]
}

function ratioBroken(what: string, least: number | undefined, ratio: number | null): string[] {
  return least === undefined || ratio === null || ratio >= least
    ? []
    : [`${what}: ${ratio} of what the engine does instead of ${least}`]
}
