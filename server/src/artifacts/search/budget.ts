import type { Condition } from '../../trackers/search/condition.ts'

/** Searches that no index supports, and their time limit. No other search is refused for its cost. */
export interface Budget {
  readonly cause: 'regular_expression' | 'short_text' | 'as_of'
  readonly milliseconds: number
}

const INDEXED = /[\p{L}\p{N}]{3}/u

/** Undefined for the usual statement timeout. */
export function budgetOf(condition: Condition, asOf: Date | undefined): Budget | undefined {
  if (asOf) return { cause: 'as_of', milliseconds: 5000 }
  const parts = [...partsOf(condition)]
  if (parts.some((part) => 'pattern' in part)) return { cause: 'regular_expression', milliseconds: 2000 }
  if (isShort(condition)) return { cause: 'short_text', milliseconds: 2000 }
  return undefined
}

/**
 * True if a text is searched by short words only. With a long word the index finds candidates, and short words are
 * checked in those.
 */
function isShort(condition: Condition): boolean {
  if (condition.kind === 'all') return !condition.of.some(isIndexed) && condition.of.some(isShort)
  if (condition.kind === 'any') return condition.of.some(isShort)
  if (condition.kind === 'not') return isShort(condition.of)
  if (condition.kind === 'link') return condition.where !== undefined && isShort(condition.where)
  return 'contains' in condition && condition.contains !== null && !isIndexed(condition)
}

function isIndexed(part: Condition): boolean {
  return 'contains' in part && part.contains !== null && INDEXED.test(part.contains)
}

function* partsOf(condition: Condition): Generator<Condition> {
  yield condition
  if (condition.kind === 'not') yield* partsOf(condition.of)
  if (condition.kind === 'all' || condition.kind === 'any') for (const part of condition.of) yield* partsOf(part)
  if (condition.kind === 'link' && condition.where) yield* partsOf(condition.where)
}

/** The number of terms. */
export function countParts(condition: Condition): number {
  return [...partsOf(condition)].filter(({ kind }) => kind !== 'all' && kind !== 'any' && kind !== 'not').length
}
