import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { parseJson } from '../../platform/wire/json.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { bindQuery, type BoundQuery } from '../../trackers/search/bind-query.ts'
import { type Condition, EVERYTHING } from '../../trackers/search/condition.ts'
import { readCriteria } from '../../trackers/search/read-criteria.ts'
import { readTrackerQuery } from '../../trackers/search/read-query.ts'
import type { Query } from '../../trackers/search/tql/syntax.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Element } from '../../trackers/tracker.ts'
import type { Asker } from '../writing/lookups.ts'
import { askingOf } from './asking.ts'
import { countParts } from './budget.ts'
import type { Search } from './find-ids.ts'
import { scopeOf } from './scope-of.ts'

/** What the routes that list artifacts take; criteria may also come as a body. */
export const searchParameters = {
  query: Type.Optional(Type.String({ description: 'Criteria: a JSON object, by the names or ids of fields.' })),
  expert_query: Type.Optional(Type.String({ description: 'A text of the query language; criteria win over it.' })),
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], { description: 'By id, ascending unless said otherwise; `ORDER BY` wins over it.' }),
  ),
}

/** What they are given. */
export interface GivenSearch {
  /** Criteria as a JSON text. */
  readonly query?: string | undefined
  /** Criteria in the body. */
  readonly body?: unknown
  readonly expert_query?: string | undefined
  readonly order?: 'asc' | 'desc' | undefined
}

export interface ReadSearch extends Search {
  /** The criteria that ask for nothing, by the names of their fields. */
  readonly ignored: readonly string[]
  /** What the query language said; absent: nothing was said in it. */
  readonly said?: { readonly query: Query; readonly bound: BoundQuery }
  readonly criteria?: { readonly given: unknown; readonly fields: readonly Element[] }
  /** What it is known by again: a place in the answer to one is none in that to another. */
  readonly mark: string
}

/** Criteria win over the query language, which is then not even read. */
export async function readSearch(asker: Asker, sight: Sight, given: GivenSearch): Promise<ReadSearch> {
  const order = { keys: [], isDescending: given.order === 'desc' }
  const criteria = criteriaIn(given)
  const said = [criteria ?? null, criteria === undefined ? given.expert_query : null, order.isDescending]
  const mark = hash('sha256', JSON.stringify(said), 'base64url').slice(0, 16)
  if (criteria !== undefined) {
    const { condition, ignored, fields } = await readCriteria(sight, criteria, askingOf(asker, sight.tracker))
    requireShort(condition, asker.context.settings.current.query_terms * WORDS_A_TERM)
    return { condition, order, ignored, mark, criteria: { given: criteria, fields } }
  }
  const { expert_query: text = '' } = given
  if (text.trim() === '') return { condition: EVERYTHING, order, ignored: [], mark }
  const query = readTrackerQuery(text, 'expert_query')
  const bound = await bindQuery(query, scopeOf(asker, [sight], 'expert_query'))
  const { condition, sort: keys, asOf } = bound
  return { condition, order: { ...order, keys }, asOf, ignored: [], mark, said: { query, bound } }
}

/** A criterion may be a whole sentence, and each of its words is looked for. */
const WORDS_A_TERM = 10

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

/** Some clients send each backslash twice: what cannot be read is tried once more without one level of them. */
function parsed(text: string): unknown {
  for (const each of [text, text.replace(/\\(.)/gs, '$1')])
    try {
      const value = parseJson(each)
      return value ?? []
    } catch {}
  throw new ApiError('query_malformed', { path: 'query', cause: 'json' })
}
