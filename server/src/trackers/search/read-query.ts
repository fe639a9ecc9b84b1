import { problemOfSyntax, refuseText } from './bind-problems.ts'
import { parseQuery, positionOfSelect } from './tql/parse-query.ts'
import type { Query } from './tql/syntax.ts'
import { SyntaxFault } from './tql/syntax-fault.ts'

/** Reads a query of any kind, or refuses it. `path`: the parameter that it stands in. */
export function readQuery(text: string, path: string): Query {
  try {
    return parseQuery(text)
  } catch (fault) {
    if (fault instanceof SyntaxFault) return refuseText(path, problemOfSyntax(fault))
    throw fault
  }
}

/** The same where only one tracker is searched: there are no columns to select. */
export function readTrackerQuery(text: string, path: string): Query {
  const position = positionOfSelect(text)
  if (position !== undefined) refuseText(path, { reason: 'query_malformed', cause: 'select_not_supported', position })
  return readQuery(text, path)
}
