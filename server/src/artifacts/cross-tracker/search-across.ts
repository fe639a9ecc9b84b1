import { hash } from 'node:crypto'
import type { BoundColumn } from '../../trackers/search/bind-columns.ts'
import { bindQuery } from '../../trackers/search/bind-query.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { FieldId, TrackerId } from '../../trackers/tracker.ts'
import type { ReadSearch } from '../search/read-search.ts'
import { scopeOf } from '../search/scope-of.ts'
import type { Asker } from '../writing/lookups.ts'
import { findSources } from './find-sources.ts'
import { type Question, TEXT } from './question.ts'

/** What a question asks in the trackers that it is about, with the rights of whoever asks. */
export interface SearchAcross extends ReadSearch {
  /** By id. */
  readonly sights: readonly Sight[]
  readonly columns: readonly BoundColumn[]
}

export async function searchAcross(asker: Asker, question: Question): Promise<SearchAcross> {
  const { query, project_id, text } = question
  const sights = await findSources(asker, question, query.select)
  const bound = await bindQuery(query, scopeOf(asker, sights, TEXT, true))
  const { condition, columns, sort: keys, asOf } = bound
  const order = { keys, isDescending: false, homes: homesOf(sights) }
  const mark = hash('sha256', JSON.stringify([project_id ?? null, text]), 'base64url').slice(0, 16)
  return { sights, columns, condition, order, asOf, ignored: [], mark, said: { query, bound } }
}

function homesOf(sights: readonly Sight[]): ReadonlyMap<FieldId, TrackerId> {
  return new Map(sights.flatMap(({ tracker }) => tracker.elements.map(({ id }) => [id, tracker.id])))
}
