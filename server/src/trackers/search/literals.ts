import { type SearchContext, type Comparison, type QueryLiteral, SearchFault } from './field-search.ts'

/** The comparisons of ordered types. */
export const ORDERED = ['=', '!=', '<', '<=', '>', '>=', 'BETWEEN'] as const

/** The text of a literal; functions are refused. */
export function literalText(literal: QueryLiteral): string {
  if (literal.kind === 'text' || literal.kind === 'number') return literal.text
  throw misplacedFunction(literal)
}

/** The name that a literal denotes; MYSELF() is the caller's login. */
export function literalName(literal: QueryLiteral, { viewer }: Pick<SearchContext, 'viewer'>): string {
  if (literal.kind !== 'myself') return literalText(literal)
  if (viewer.login === undefined) throw misplacedFunction(literal)
  return viewer.login
}

/** Whether this compares with empty: `= ""` or `!= ""`. Other comparators refuse the empty text. */
export function isOfEmpty({ comparator, literals }: Comparison): boolean {
  if (!literals.some(isEmptyText)) return false
  if (comparator === '=' || comparator === '!=') return true
  throw new SearchFault('query_operator', { cause: 'empty_string', params: { operator: comparator } })
}

function isEmptyText(literal: QueryLiteral): boolean {
  return literal.kind === 'text' && literal.text === ''
}

/** A function that the field does not support. */
export function misplacedFunction({ kind }: QueryLiteral): SearchFault {
  return new SearchFault('query_operator', { cause: 'function', params: { value: `${kind.toUpperCase()}()` } })
}

export function isNegative({ comparator }: Pick<Comparison, 'comparator'>): boolean {
  return comparator === '!=' || comparator === 'NOT IN'
}
