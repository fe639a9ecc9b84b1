import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { FeedCursor } from '../feed-cursor.ts'
import type { ResultSet, LiveQueryRequest } from './result-set.ts'
import {
  createResultSet,
  loadResultSet,
  type PreparedQuery,
  prepareLiveQuery,
  dependsOnArtifactsOnly,
} from './load-result-set.ts'
import { createSemaphore } from '../../platform/operation/semaphore.ts'

export interface OpenedQuery {
  readonly access: TrackerAccess
  readonly resultSet: ResultSet
}

/** All result sets with subscribers, shared by key. */
export interface ResultSets {
  readonly active: Map<string, ResultSet>
  /** Returns an active result set or loads a new one; `forceReload` always loads. Fails as the list does. */
  open(context: Context, viewer: Viewer, liveQuery: LiveQueryRequest, forceReload?: boolean): Promise<OpenedQuery>
  /** Removes a result set after a change of permissions. Its rows are cached for a while, for the same query. */
  retire(resultSet: ResultSet, cursor: FeedCursor): void
}

/** Leaves the other connections of the shared pool free. */
const LOAD_CONCURRENCY = 2
const RETIRED_TTL_MS = 10_000

export function createResultSets(): ResultSets {
  const active = new Map<string, ResultSet>()
  const loading = new Map<string, Promise<ResultSet | undefined>>()
  const retired = new Map<
    string,
    { readonly resultSet: ResultSet; readonly cursor: FeedCursor; readonly since: number }
  >()
  const withSemaphore = createSemaphore(LOAD_CONCURRENCY)
  const load = (context: Context, prepared: PreparedQuery) => {
    const { key } = prepared
    const pending = loading.get(key)
    if (pending) return pending
    const made = withSemaphore(() => loadResultSet(context, prepared)).finally(() => loading.delete(key))
    loading.set(key, made)
    return made
  }
  const revived = (prepared: PreparedQuery) => {
    const found = retired.get(prepared.content)
    return found && createResultSet(prepared, found.resultSet.result, found.cursor)
  }
  return {
    active,
    retire(resultSet, cursor) {
      active.delete(resultSet.key)
      const now = Date.now()
      for (const [content, { since }] of retired) if (now - since > RETIRED_TTL_MS) retired.delete(content)
      if (dependsOnArtifactsOnly(resultSet)) retired.set(resultSet.content, { resultSet, cursor, since: now })
    },
    open: (context, viewer, liveQuery, forceReload = false) =>
      retryOnConflict(async () => {
        const prepared = await prepareLiveQuery(context, viewer, liveQuery)
        const known = forceReload ? undefined : (active.get(prepared.key) ?? revived(prepared))
        const resultSet = known ?? (await load(context, prepared))
        return resultSet && { access: prepared.access, resultSet }
      }),
  }
}
