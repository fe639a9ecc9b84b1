import { problemOfSyntax, refuseText } from './bind-problems.ts'
import { parseQuery, positionOfSelect } from './tql/parse-query.ts'
import type { Query } from './tql/syntax.ts'
import { SyntaxFault } from './tql/syntax-fault.ts'

/** Parses a query of any kind, or throws an error. `path`: the parameter that contains it. */
export function readQuery(text: string, path: string): Query {
  try {
    return parseQuery(text)
  } catch (fault) {
    if (fault instanceof SyntaxFault) return refuseText(path, problemOfSyntax(fault))
    throw fault
  }
}

/** The same for a search in one tracker, which refuses SELECT. */
export function readTrackerQuery(text: string, path: string): Query {
  const position = positionOfSelect(text)
  if (position !== undefined) refuseText(path, { reason: 'query_malformed', cause: 'select_not_supported', position })
  return readQuery(text, path)
}
