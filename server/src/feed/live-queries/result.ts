import type { ArtifactId } from '../../artifacts/artifact.ts'
import type { Place } from '../../platform/http/pages.ts'
import type { IdSet } from './id-set.ts'

/** One row of what is followed. */
export interface Row {
  readonly id: ArtifactId
  readonly place: Place
  readonly version: number
}

/** What a live query has found, as far as it is kept. */
export interface Result {
  /** All that fit. */
  readonly ids: IdSet
  /** The first of them in order, some more than are shown, so that one can leave without a look at the database. */
  readonly rows: readonly Row[]
  /** There are no others behind them. */
  readonly isComplete: boolean
}

/** How many rows are kept for a window of so many. */
export function reachOf(limit: number): number {
  return limit + Math.max(50, limit)
}

/** An artifact that was looked at again; `row` undefined: it does not fit, or may not be seen. */
export type Looks = ReadonlyMap<ArtifactId, Row | undefined>

/**
 * The rows after some artifacts were looked at again. Each is put where it belongs, unless that is behind the last one that
 * is known: there may be others between. The rest is still in order.
 */
export function replaceRows(
  { rows, isComplete }: Pick<Result, 'rows' | 'isComplete'>,
  looks: Looks,
  compare: (one: Row, other: Row) => number,
): Row[] {
  const after = rows.filter(({ id }) => !looks.has(id))
  for (const row of looks.values()) {
    if (!row) continue
    const at = placeFor(after, row, compare)
    if (at < after.length || isComplete) after.splice(at, 0, row)
  }
  return after
}

function placeFor(rows: readonly Row[], row: Row, compare: (one: Row, other: Row) => number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const there = rows[middle]
    if (there && compare(there, row) < 0) low = middle + 1
    else high = middle
  }
  return low
}
