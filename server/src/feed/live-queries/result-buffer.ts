import type { ArtifactId } from '../../artifacts/artifact.ts'
import type { KeysetPosition } from '../../platform/http/pages.ts'
import type { IdSet } from './id-set.ts'

export interface ResultRow {
  readonly id: ArtifactId
  readonly place: KeysetPosition
  readonly version: number
}

/** The stored part of the result of a live query. */
export interface ResultBuffer {
  /** Ids of all matches. */
  readonly ids: IdSet
  /** The first matches in order: the window and a lookahead buffer, so that a row can leave without a query. */
  readonly rows: readonly ResultRow[]
  /** No matches follow these rows. */
  readonly isComplete: boolean
}

/** Number of rows to keep for a window of this size. */
export function getBufferSize(limit: number): number {
  return limit + Math.max(50, limit)
}

/** Rechecked artifacts; an undefined row does not match or is invisible. */
export type RecheckedRows = ReadonlyMap<ArtifactId, ResultRow | undefined>

/**
 * The rows after a recheck. Each is inserted at its position, unless that is after the last known row: unknown rows may
 * be in between. The other rows keep their order.
 */
export function replaceRows(
  { rows, isComplete }: Pick<ResultBuffer, 'rows' | 'isComplete'>,
  rechecked: RecheckedRows,
  compare: (one: ResultRow, other: ResultRow) => number,
): ResultRow[] {
  const after = rows.filter(({ id }) => !rechecked.has(id))
  for (const row of rechecked.values()) {
    if (!row) continue
    const at = insertionIndex(after, row, compare)
    if (at < after.length || isComplete) after.splice(at, 0, row)
  }
  return after
}

function insertionIndex(
  rows: readonly ResultRow[],
  row: ResultRow,
  compare: (one: ResultRow, other: ResultRow) => number,
): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const there = rows[middle]
    if (there && compare(there, row) < 0) low = middle + 1
    else high = middle
  }
  return low
}
