import type { Viewer } from '../../platform/http/viewer.ts'
import type { Details, Reason } from '../../platform/messages/reasons.ts'
import type { LoadedTracker } from '../load-tracker.ts'
import type { Element } from '../tracker.ts'
import type { Condition, SortValue } from './condition.ts'
import type { GroupValue, GroupContext } from './group-value.ts'

/** How one field type is searched and sorted. Absent members are not supported. */
export interface FieldSearch {
  /** The supported criteria operators; others are refused before `criterion` is called. */
  readonly operators?: readonly CriterionOperator[]
  /** Undefined: the value is empty, and the criterion is dropped. */
  criterion?(given: Criterion, element: Element, asking: SearchContext): Promise<Condition | undefined>
  /** The supported TQL operators; others are refused before `compare` is called. */
  readonly comparisons?: readonly Comparator[]
  compare?(comparison: Comparison, element: Element, asking: SearchContext): Promise<Condition>
  /** Undefined: this field is not sortable. */
  sort?(element: Element): SortValue | undefined
  /** The grouping value; absent: this type does not support grouping. */
  group?(element: Element, telling: GroupContext): GroupValue
  /** Its numbers can be summed. */
  readonly isSummable?: true
}

export type CriterionOperator = 'contains' | '=' | 'between' | '>' | '<'

export interface Criterion {
  readonly operator: CriterionOperator
  /** The value as sent. */
  readonly value: unknown
}

export type Comparator = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'IN' | 'NOT IN'

export interface Comparison {
  readonly comparator: Comparator
  /** One literal; `BETWEEN` has two, `IN` and `NOT IN` have at least one. */
  readonly literals: readonly QueryLiteral[]
}

export type QueryLiteral =
  | { readonly kind: 'text'; readonly text: string }
  /** The text as written, including the sign. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'now'; readonly period?: Period }
  | { readonly kind: 'myself' }
  | { readonly kind: 'open' }

/** An offset from now. */
export interface Period {
  readonly count: number
  readonly unit: 'd' | 'w' | 'm' | 'y'
}

/** The caller, the time, and lookups for a search. */
export interface SearchContext {
  readonly viewer: Viewer
  readonly now: Date
  /** The time zone of the caller, or else of the platform; it delimits the days of instants. */
  readonly zone: string
  readonly tracker: LoadedTracker
  /** The account with this login, ignoring case. */
  findUser(login: string): Promise<number | undefined>
  /** The added value of an open list with this label, ignoring case. */
  findOpenValue(field: Element['id'], label: string): Promise<number | undefined>
}

/** A refused search; the caller adds the field and the position. */
export class SearchFault extends Error {
  readonly reason: Reason
  readonly details: Details

  constructor(reason: Reason, details: Details = {}) {
    super(reason)
    this.reason = reason
    this.details = details
  }
}
