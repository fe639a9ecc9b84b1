import type { LoadedTracker } from '../load-tracker.ts'
import type { Sight } from '../sight.ts'
import type { Element } from '../tracker.ts'
import type { Problems } from './bind-problems.ts'
import type { Asking } from './field-search.ts'

/** What names mean in a query, and what can be looked up for it. */
export interface QueryScope extends Names {
  /** With what the fields of this tracker are searched. */
  askingOf(tracker: LoadedTracker): Asking
  readonly sightsOf: SightsOf
  /** The short names of all types of links that can be used here. */
  linkTypes(): Promise<readonly string[]>
  /** The moment of the request. */
  readonly now: Date
  /** The zone of the caller, else of the platform. */
  readonly zone: string
  /** The parameter that the query stands in. */
  readonly path: string
  /** How many terms it may have. */
  readonly mostTerms: number
}

/**
 * The trackers that the viewer may see: those with this item name, whatever its case and in whatever project, or all of
 * them. Artifacts at the other end of a link are in one of these.
 */
export type SightsOf = (itemName: string | undefined) => Promise<readonly Sight[]>

/** Where names are looked for. */
export interface Names {
  /** The trackers that are searched, as the viewer sees them. */
  readonly sights: readonly Sight[]
  /**
   * The trackers have nothing to do with each other: a name must mean about the same in all that have it, and what
   * every artifact has is called by its `@name`.
   */
  readonly isAcross: boolean
}

/** What is carried through a query while it is bound. */
export interface Binding {
  readonly scope: QueryScope
  readonly problems: Problems
  /** The past is asked: of it, fields that are no longer used can be named. */
  readonly isOfPast: boolean
  /** All that are named so far. */
  readonly fields: Set<Element>
  readonly warnings: Set<string>
}
