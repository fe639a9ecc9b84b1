import { listReadableFields } from '../../artifacts/reading/artifact-table.ts'
import { findIdBitmap } from '../../artifacts/search/find-id-bitmap.ts'
import { findIds, type Search } from '../../artifacts/search/find-ids.ts'
import { createMatchQuery, type MatchQuery, loadArtifactStates } from '../../artifacts/search/match-artifacts.ts'
import { type ReadSearch, readSearch } from '../../artifacts/search/read-search.ts'
import { inSnapshot } from '../../platform/database/db.ts'
import { readFeedState } from '../../platform/database/events.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { findTracker } from '../../trackers/find-tracker.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { FeedCursor } from '../feed-cursor.ts'
import type { ResultSet, LiveQueryRequest } from './result-set.ts'
import { type QueryDependencies, findQueryDependencies } from './query-dependencies.ts'
import { IdSet } from './id-set.ts'
import { getBufferSize, type ResultBuffer } from './result-buffer.ts'

/** A parsed live query that has not run yet. */
export interface PreparedQuery {
  readonly access: TrackerAccess
  readonly search: ReadSearch
  readonly limit: number
  readonly matching: MatchQuery
  readonly dependencies: QueryDependencies
  /** Identifies the query: equal contents have equal results, unless the query depends on more than the artifacts. */
  readonly content: string
  /** The content plus the access version of the tracker and its permissions. */
  readonly key: string
}

export function dependsOnArtifactsOnly({
  dependencies: { links, needsPolling, dependsOnGroups },
}: Pick<PreparedQuery, 'dependencies'>): boolean {
  return links.length === 0 && !needsPolling && !dependsOnGroups
}

/** Parses the query with the viewer's current permissions; fails as the list does. */
export async function prepareLiveQuery(
  context: Context,
  viewer: Viewer,
  liveQuery: LiveQueryRequest,
): Promise<PreparedQuery> {
  const { tracker, limit, cut } = liveQuery
  const access = await findTracker(context, context.db, viewer, tracker)
  cut?.requireReadable(listReadableFields(access))
  const search = await readSearch({ context, db: context.db, viewer }, access, liveQuery.search)
  if (search.asOf || search.said?.query.isExplained)
    throw new ApiError('parameter_conflict', { path: 'expert_query', cause: 'live_query' })
  const matching = createMatchQuery(context.db, access, search)
  const dependencies = findQueryDependencies(access, search)
  // A polled query runs again as the same person, for instance in their time zone, so its results are not shared.
  const viewerKey = dependencies.needsPolling
    ? JSON.stringify([viewer.account_id ?? null, viewer.credential?.projects ?? null, liveQuery.search])
    : ''
  // A change of the tracker may change values of artifacts without an event for each of them.
  const content = `${access.tracker.version} ${limit} ${viewerKey} ${matching.key}`
  return { access, search, limit, matching, dependencies, content, key: `${access.tracker.stamp} ${content}` }
}

/** Runs the query in one snapshot; undefined: the permissions have changed meanwhile. */
export async function loadResultSet({ db }: Context, prepared: PreparedQuery): Promise<ResultSet | undefined> {
  const { access, search, limit } = prepared
  const bufferSize = getBufferSize(limit)
  return inSnapshot(db, async (tx) => {
    const { epoch, horizon } = await readFeedState(tx)
    // The search returns one row more than the limit, which is kept as well.
    const { rows, isCurrent } = await findIds(tx, [access], search, {
      limit: bufferSize - 1,
      offset: 0,
      after: undefined,
    })
    if (!isCurrent) return undefined
    const states = await loadArtifactStates(
      tx,
      rows.map(({ id }) => id),
    )
    const isComplete = rows.length < bufferSize
    const ids = new IdSet(isComplete ? [] : await findIdBitmap(tx, access, search))
    for (const { id } of rows) ids.add(id)
    const found = rows.map(({ id, place: cursor }) => ({ id, place: cursor, version: states.get(id)?.version ?? 0 }))
    return createResultSet(prepared, { ids, rows: found, isComplete }, { epoch, ...horizon })
  })
}

/** The result contains everything up to the cursor. */
export function createResultSet(prepared: PreparedQuery, result: ResultBuffer, cursor: FeedCursor): ResultSet {
  const { condition, order } = prepared.search
  const search: Search = { condition, order } // Drops the query text, which is not needed any more.
  return { ...prepared, search, result, cursor, subscribers: new Set(), reviewedAt: Date.now() }
}
