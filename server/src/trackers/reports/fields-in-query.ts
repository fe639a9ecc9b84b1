import { parseQuery } from '../search/tql/parse-query.ts'
import type { Expression, Query, Searchable } from '../search/tql/syntax.ts'
import { SyntaxFault } from '../search/tql/syntax-fault.ts'

/**
 * The fields of the searched tracker that a query names, in text order. Fields behind a link belong to other trackers.
 */
export function fieldsIn({ where, orderBy }: Query): readonly Searchable[] {
  const named = [...(where ? searchables(where) : []), ...orderBy.map(({ by }) => by)]
  return named.filter(({ kind }) => kind === 'field').toSorted((one, other) => one.position - other.position)
}

/** The query with renamed fields. */
export function renamedInQuery(text: string, rename: (name: string) => string): string {
  return fieldsOfText(text).reduceRight(
    (renamed, { name, position }) => renamed.slice(0, position) + rename(name) + renamed.slice(position + name.length),
    text,
  )
}

/** Empty for a query that cannot be parsed. */
export function fieldsOfText(text: string): readonly Searchable[] {
  try {
    return fieldsIn(parseQuery(text))
  } catch (fault) {
    if (fault instanceof SyntaxFault) return []
    throw fault
  }
}

function searchables(expression: Expression): readonly Searchable[] {
  if (expression.kind === 'comparison') return [expression.searchable]
  if (expression.kind === 'link') return []
  return expression.kind === 'not' ? searchables(expression.of) : expression.of.flatMap(searchables)
}
