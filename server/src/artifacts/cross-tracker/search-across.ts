import { hash } from 'node:crypto'
import type { BoundColumn } from '../../trackers/search/bind-columns.ts'
import { bindQuery } from '../../trackers/search/bind-query.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { FieldId, TrackerId } from '../../trackers/tracker.ts'
import type { ReadSearch } from '../search/read-search.ts'
import { buildQueryScope } from '../search/build-query-scope.ts'
import type { Asker } from '../reading/audience.ts'
import { findSources } from './find-sources.ts'
import { type CrossTrackerQuery, TEXT } from './cross-tracker-query.ts'

/** A search in the trackers of a query, with the caller's permissions. */
export interface SearchAcross extends ReadSearch {
  /** Sorted by id. */
  readonly accesses: readonly TrackerAccess[]
  readonly columns: readonly BoundColumn[]
}

export async function searchAcross(asker: Asker, question: CrossTrackerQuery): Promise<SearchAcross> {
  const { query, project_id, text } = question
  const accesses = await findSources(asker, question, query.select)
  const bound = await bindQuery(query, buildQueryScope(asker, accesses, TEXT, true))
  const { condition, columns, sort: keys, asOf } = bound
  const order = { keys, isDescending: false, homes: homesOf(accesses) }
  const mark = hash('sha256', JSON.stringify([project_id ?? null, text]), 'base64url').slice(0, 16)
  return { accesses, columns, condition, order, asOf, ignored: [], mark, said: { query, bound } }
}

function homesOf(accesses: readonly TrackerAccess[]): ReadonlyMap<FieldId, TrackerId> {
  return new Map(accesses.flatMap(({ tracker }) => tracker.elements.map(({ id }) => [id, tracker.id])))
}
