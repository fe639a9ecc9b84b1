import type { StreamSession } from '../../accounts/sign-in/revalidate-credentials.ts'
import type { Search } from '../../artifacts/search/find-ids.ts'
import type { MatchQuery } from '../../artifacts/search/match-artifacts.ts'
import type { GivenSearch } from '../../artifacts/search/read-search.ts'
import type { EventStream } from '../../platform/http/event-stream.ts'
import type { CutElements } from '../../platform/http/route-call.ts'
import type { Catalogue } from '../../platform/messages/catalogue.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { FeedCursor } from '../feed-cursor.ts'
import type { QueryDependencies } from './query-dependencies.ts'
import type { ResultBuffer, ResultRow } from './result-buffer.ts'

/** The query of a subscriber and how its artifacts are represented. */
export interface LiveQueryRequest {
  readonly tracker: TrackerId
  readonly search: GivenSearch
  readonly limit: number
  readonly language: Catalogue
  readonly withValues: boolean
  readonly cut?: CutElements | undefined
}

/** A query with its result, shared by all subscribers with the same query and permissions. */
export interface ResultSet {
  readonly key: string
  readonly content: string
  /** Access of one of the subscribers, used to run the query. */
  readonly access: TrackerAccess
  readonly search: Search
  readonly limit: number
  readonly matching: MatchQuery
  readonly dependencies: QueryDependencies
  readonly subscribers: Set<LiveSubscriber>
  result: ResultBuffer
  /** The result contains everything up to this cursor. */
  cursor: FeedCursor
  /** When the complete result was last loaded. */
  reviewedAt: number
}

export interface LiveSubscriber {
  readonly stream: EventStream
  readonly liveQuery: LiveQueryRequest
  guest: StreamSession
  /** The subscriber's own access, used to represent artifacts. */
  access: TrackerAccess
  resultSet: ResultSet
  /**
   * `new`: the client has no valid rows and knows it; `current`: its rows equal the result; `stale`: they do not, and
   * the client does not know yet; `waiting`: the query has to run again.
   */
  state: 'new' | 'current' | 'stale' | 'waiting'
  /** When this subscriber was last sent a complete window. */
  resetAt: number
}

/** The rows inside the limit. */
export function windowRows({ limit, result }: Pick<ResultSet, 'limit' | 'result'>): readonly ResultRow[] {
  return result.rows.slice(0, limit)
}
