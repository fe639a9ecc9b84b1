import type { DescribedOperation } from './api-description.ts'

/** Counts responses by operation. */
export interface Tally {
  count(operation: DescribedOperation, status: number): void
  /** Requests that belong to no operation: pages, repetitions, bytes that are not HTTP. */
  countOther(kind: string, status: number): void
  table(): string
  /** The number of 5xx responses. */
  failures(): number
  /** Operations with too few successes. */
  neglected(): string[]
}

interface Row {
  requests: number
  successes: number
  readonly statuses: Map<number, number>
}

/** Succeeds with a signature of another server only. */
const NEEDS_OTHERS = new Set(['endSessionsByProvider'])
const MIN_SUCCESS_SHARE = 0.3
/** With the minimum success rate, the chance that none of this many succeeds is one in a hundred. */
const MIN_REQUESTS_TO_JUDGE = 13

export function createTally(operations: readonly DescribedOperation[]): Tally {
  const rows = new Map<string, Row>(operations.map(({ id }) => [id, emptyRow()]))
  const others = new Map<string, Row>()
  return {
    count: ({ id }, status) => add(rows, id, status),
    countOther: (kind, status) => add(others, `(${kind})`, status),
    table: () => [...rows, ...others].map(([name, row]) => line(name, row)).join('\n'),
    failures: () => [...rows.values(), ...others.values()].reduce((all, row) => all + failuresIn(row), 0),
    neglected: () =>
      [...rows]
        .filter(([name, row]) => !NEEDS_OTHERS.has(name) && isNeglected(row))
        .map(([name, row]) => line(name, row)),
  }
}

/**
 * In a short run each operation has some ten requests, so the threshold allows for random variation. None of ten may be
 * chance as well.
 */
function isNeglected(row: Row): boolean {
  const chance = 2 * Math.sqrt((MIN_SUCCESS_SHARE * (1 - MIN_SUCCESS_SHARE)) / Math.max(row.requests, 1))
  if (row.successes === 0) return row.requests === 0 || row.requests >= MIN_REQUESTS_TO_JUDGE
  return shareOf(row) < MIN_SUCCESS_SHARE - chance
}

function emptyRow(): Row {
  return { requests: 0, successes: 0, statuses: new Map() }
}

function add(rows: Map<string, Row>, name: string, status: number): void {
  const row = rows.get(name) ?? emptyRow()
  rows.set(name, row)
  row.requests++
  if (status >= 200 && status < 300) row.successes++
  row.statuses.set(status, (row.statuses.get(status) ?? 0) + 1)
}

function failuresIn({ statuses }: Row): number {
  return [...statuses].reduce((all, [status, count]) => (status >= 500 ? all + count : all), 0)
}

function shareOf({ requests, successes }: Row): number {
  return requests === 0 ? 0 : successes / requests
}

function line(name: string, row: Row): string {
  const statuses = [...row.statuses].toSorted(([one], [other]) => one - other)
  const seen = statuses.map(([status, count]) => `${status}×${count}`).join(' ')
  const share = `${Math.round(shareOf(row) * 100)} %`
  return `${name.padEnd(24)}${String(row.requests).padStart(8)}${share.padStart(7)}  ${seen}`
}
