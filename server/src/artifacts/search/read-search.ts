import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { parseStrictJson } from '../../platform/wire/json.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { bindQuery, type BoundQuery } from '../../trackers/search/bind-query.ts'
import { type Condition, ALWAYS_TRUE } from '../../trackers/search/condition.ts'
import { readCriteria } from '../../trackers/search/read-criteria.ts'
import { readTrackerQuery } from '../../trackers/search/read-query.ts'
import type { Query } from '../../trackers/search/tql/syntax.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { Asker } from '../reading/audience.ts'
import { buildSearchContext } from './search-context.ts'
import { countParts } from './budget.ts'
import type { Search } from './find-ids.ts'
import type { SortOrder } from './order-sql.ts'
import { buildQueryScope } from './build-query-scope.ts'

/** Parameters of routes that list artifacts; criteria may also be the body. */
export const searchParameters = {
  query: Type.Optional(Type.String({ description: 'Criteria: a JSON object, by the names or ids of fields.' })),
  expert_query: Type.Optional(Type.String({ description: 'A query text; criteria take precedence.' })),
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], { description: 'Ascending by default; `ORDER BY` takes precedence.' }),
  ),
  order_by: Type.Optional(
    Type.Enum(['id', 'rank'], {
      description: 'By id (default), or in the order of the tracker; `ORDER BY` takes precedence.',
    }),
  ),
}

/** The search parameters of a request. */
export interface GivenSearch {
  /** Criteria as JSON text. */
  readonly query?: string | undefined
  /** Criteria in the body. */
  readonly body?: unknown
  readonly expert_query?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
  readonly order_by?: 'id' | 'rank' | undefined
}

export interface ReadSearch extends Search {
  /** Field names of criteria without effect. */
  readonly ignored: readonly string[]
  /** The parsed query text; absent if there is none. */
  readonly said?: { readonly query: Query; readonly bound: BoundQuery }
  readonly criteria?: { readonly given: unknown; readonly fields: readonly Element[] }
  /** Identifies the search: a cursor is valid only for the search with the same mark. */
  readonly mark: string
}

/** Criteria take precedence over the query text, which is then not parsed. */
export async function readSearch(asker: Asker, access: TrackerAccess, given: GivenSearch): Promise<ReadSearch> {
  const order = orderIn(given)
  const criteria = criteriaIn(given)
  const said = [criteria ?? null, criteria === undefined ? given.expert_query : null, order]
  const mark = hash('sha256', JSON.stringify(said), 'base64url').slice(0, 16)
  if (criteria !== undefined) {
    const { condition, ignored, fields } = await readCriteria(
      access,
      criteria,
      buildSearchContext(asker, access.tracker),
    )
    requireShort(condition, asker.context.settings.current.query_terms * WORDS_PER_TERM)
    return { condition, order, ignored, mark, criteria: { given: criteria, fields } }
  }
  const { expert_query: text = '' } = given
  if (text.trim() === '') return { condition: ALWAYS_TRUE, order, ignored: [], mark }
  const query = readTrackerQuery(text, 'expert_query')
  const bound = await bindQuery(query, buildQueryScope(asker, [access], 'expert_query'))
  const { condition, sort: keys, asOf } = bound
  return {
    condition,
    order: keys.length > 0 ? { ...order, keys } : order,
    asOf,
    ignored: [],
    mark,
    said: { query, bound },
  }
}

function orderIn({ order, order_by }: GivenSearch): SortOrder {
  const isDescending = order === 'desc'
  return {
    keys: order_by === 'rank' ? [{ by: { kind: 'fact', fact: 'rank' }, or: [], isDescending }] : [],
    isDescending,
  }
}

/** A criterion may be a whole sentence; each word is a term. */
const WORDS_PER_TERM = 10

function requireShort(condition: Condition, maximum: number): void {
  if (countParts(condition) <= maximum) return
  const details = { path: 'query', rule: 'maximum', cause: 'too_complex', allowed: { maximum } } as const
  throw new ApiError('parameter_out_of_range', details)
}

function criteriaIn({ query, body }: GivenSearch): unknown {
  const written = query === undefined || query.trim() === '' ? undefined : parsed(query)
  if (written === undefined || body === undefined || body === null) return written ?? body ?? undefined
  if (!isDeepStrictEqual(written, body))
    throw new ApiError('parameter_conflict', { path: 'query', cause: 'body_and_query' })
  return written
}

/** Some clients escape backslashes twice: if parsing fails, retry with one level removed. */
function parsed(text: string): unknown {
  for (const each of [text, text.replace(/\\(.)/gs, '$1')])
    try {
      const value = parseStrictJson(each)
      return value ?? []
    } catch {}
  throw new ApiError('query_malformed', { path: 'query', cause: 'json' })
}
