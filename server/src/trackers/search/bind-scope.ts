import type { LoadedTracker } from '../load-tracker.ts'
import type { TrackerAccess } from '../tracker-access.ts'
import type { Element } from '../tracker.ts'
import type { QueryProblems } from './bind-problems.ts'
import type { SearchContext } from './field-search.ts'

/** Name resolution and lookups for a query. */
export interface QueryScope extends NameScope {
  /** The context for searching the fields of this tracker. */
  searchContextFor(tracker: LoadedTracker): SearchContext
  readonly findAccesses: FindTrackerAccesses
  /** Short names of the link types available here. */
  linkTypes(): Promise<readonly string[]>
  /** The time of the request. */
  readonly now: Date
  /** The time zone of the caller, or else of the platform. */
  readonly zone: string
  /** The parameter that contains the query. */
  readonly path: string
  /** The maximum number of terms. */
  readonly mostTerms: number
}

/**
 * The trackers that the viewer may see: those with this item name in any project, ignoring case, or all of them. The
 * artifacts behind a link are in one of these.
 */
export type FindTrackerAccesses = (itemName: string | undefined) => Promise<readonly TrackerAccess[]>

/** The scope in which names are resolved. */
export interface NameScope {
  /** The searched trackers, with the viewer's access. */
  readonly accesses: readonly TrackerAccess[]
  /**
   * The trackers are unrelated: a name must have the same value family in all trackers that have it, and metadata
   * requires its `@name`.
   */
  readonly isAcross: boolean
}

/** State while binding a query. */
export interface Binding {
  readonly scope: QueryScope
  readonly problems: QueryProblems
  /** The query is about the past, so it may use fields that are now unused. */
  readonly isOfPast: boolean
  /** All fields used so far. */
  readonly fields: Set<Element>
  readonly warnings: Set<string>
}
