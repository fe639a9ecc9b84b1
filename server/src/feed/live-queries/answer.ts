import type { Guest } from '../../accounts/sign-in/still-signed-in.ts'
import type { Search } from '../../artifacts/search/find-ids.ts'
import type { Matching } from '../../artifacts/search/match-artifacts.ts'
import type { GivenSearch } from '../../artifacts/search/read-search.ts'
import type { EventStream } from '../../platform/http/event-stream.ts'
import type { CutElements } from '../../platform/http/route.ts'
import type { Catalogue } from '../../platform/words/catalogue.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { Place } from '../place.ts'
import type { Dependence } from './dependence.ts'
import type { Result, Row } from './result.ts'

/** What somebody wants to follow, and how he wants to see it. */
export interface Asked {
  readonly tracker: TrackerId
  readonly search: GivenSearch
  readonly limit: number
  readonly language: Catalogue
  readonly withValues: boolean
  readonly cut?: CutElements | undefined
}

/** What is asked, with what it finds: one for all who ask the same and see the same. */
export interface Answer {
  readonly key: string
  readonly content: string
  /** Of one of those who ask: what it is asked by. */
  readonly sight: Sight
  readonly search: Search
  readonly limit: number
  readonly matching: Matching
  readonly dependence: Dependence
  readonly followers: Set<Follower>
  result: Result
  /** Everything up to there is in the result. */
  place: Place
  /** When all of it was last looked at. */
  reviewed: number
}

export interface Follower {
  readonly stream: EventStream
  readonly asked: Asked
  guest: Guest
  /** His own: what he is shown. */
  sight: Sight
  answer: Answer
  /**
   * `new`: he has nothing, or knows that what he has is worth nothing; `current`: what he has is what the answer has;
   * `stale`: it is not, and he does not know; `waiting`: there is no answer for him yet.
   */
  state: 'new' | 'current' | 'stale' | 'waiting'
  /** When he was last sent everything anew. */
  reset: number
}

/** The rows that are shown. */
export function windowOf({ limit, result }: Pick<Answer, 'limit' | 'result'>): readonly Row[] {
  return result.rows.slice(0, limit)
}
