import { type Asking, type Comparison, type Literal, SearchFault } from './field-search.ts'

/** The comparisons of what has an order. */
export const ORDERED = ['=', '!=', '<', '<=', '>', '>=', 'BETWEEN'] as const

/** What a literal says, where functions mean nothing. */
export function wordsIn(literal: Literal): string {
  if (literal.kind === 'text' || literal.kind === 'number') return literal.text
  throw outOfPlace(literal)
}

/** What somebody or something is called there. */
export function nameIn(literal: Literal, { viewer }: Pick<Asking, 'viewer'>): string {
  if (literal.kind !== 'myself') return wordsIn(literal)
  if (viewer.login === undefined) throw outOfPlace(literal)
  return viewer.login
}

/** Whether it is compared with nothing: `= ""` or `!= ""`. With others the empty text is refused. */
export function isOfEmpty({ comparator, literals }: Comparison): boolean {
  if (!literals.some(isEmptyText)) return false
  if (comparator === '=' || comparator === '!=') return true
  throw new SearchFault('query_operator', { cause: 'empty_string', params: { operator: comparator } })
}

function isEmptyText(literal: Literal): boolean {
  return literal.kind === 'text' && literal.text === ''
}

/** A function on a field that it says nothing about. */
export function outOfPlace({ kind }: Literal): SearchFault {
  return new SearchFault('query_operator', { cause: 'function', params: { value: `${kind.toUpperCase()}()` } })
}

export function isNegative({ comparator }: Pick<Comparison, 'comparator'>): boolean {
  return comparator === '!=' || comparator === 'NOT IN'
}
