import { Type } from 'typebox'
import { readJsonQuery } from '../../platform/wire/json-query.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { refuseText } from '../../trackers/search/bind-problems.ts'
import { readQuery } from '../../trackers/search/read-query.ts'
import { positionOfSelect } from '../../trackers/search/tql/parse-query.ts'
import type { Query, Select } from '../../trackers/search/tql/syntax.ts'

const Given = Type.Object({
  widget_id: Type.Optional(Type.Integer()),
  project_id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  tql_query: Type.String(),
})

/** A query about several trackers, and the project or widget it runs in. */
export interface CrossTrackerQuery {
  readonly widget_id?: number
  /** The project meant by `self` and by tracker names without a project. */
  readonly project_id?: number
  readonly text: string
  readonly query: Query & { readonly select: Select }
}

/** The path of the query text in the input. */
export const TEXT = 'query.tql_query'

export function parseCrossTrackerQuery(given: string, most: { readonly columns: number }): CrossTrackerQuery {
  const { tql_query: text, ...where } = readJsonQuery(Given, given)
  if (text === undefined) throw new ApiError('parameter_required', { path: TEXT, rule: 'required' })
  if (positionOfSelect(text) === undefined) {
    const position = /^(?:\s*EXPLAIN\b)?\s*/i.exec(text)?.[0].length ?? 0
    refuseText(TEXT, { reason: 'query_malformed', cause: 'syntax', position, allowed: ['SELECT'] })
  }
  const query = readQuery(text, TEXT)
  const { select } = query
  if (!select) throw new TypeError('What begins with SELECT selects something.')
  if (select.columns.length > most.columns)
    refuseText(TEXT, {
      reason: 'parameter_out_of_range',
      rule: 'maximum',
      cause: 'too_many_columns',
      position: select.position,
      allowed: { maximum: most.columns },
    })
  return { ...where, text, query: { ...query, select } }
}
