import type { Viewer } from '../../platform/http/viewer.ts'
import type { Details, Reason } from '../../platform/words/reasons.ts'
import type { LoadedTracker } from '../load-tracker.ts'
import type { Element } from '../tracker.ts'
import type { Condition, SortValue } from './condition.ts'
import type { GroupValue, Telling } from './group-value.ts'

/** How one type of field is searched and sorted by. What a type lacks cannot be asked of it. */
export interface FieldSearch {
  /** The operators of criteria that it knows; another one is refused before `criterion` is asked. */
  readonly operators?: readonly CriterionOperator[]
  /** Undefined: the value says nothing, and the criterion is dropped. */
  criterion?(given: Criterion, element: Element, asking: Asking): Promise<Condition | undefined>
  /** The operators of the query language that it knows; another one is refused before `compare` is asked. */
  readonly comparisons?: readonly Comparator[]
  compare?(comparison: Comparison, element: Element, asking: Asking): Promise<Condition>
  /** Undefined: this field cannot be sorted by. */
  sort?(element: Element): SortValue | undefined
  /** What artifacts are counted by; absent: they cannot be counted by this type. */
  group?(element: Element, telling: Telling): GroupValue
  /** Its numbers can be added up. */
  readonly isSummable?: true
}

export type CriterionOperator = 'contains' | '=' | 'between' | '>' | '<'

export interface Criterion {
  readonly operator: CriterionOperator
  /** As the client sent it. */
  readonly value: unknown
}

export type Comparator = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'IN' | 'NOT IN'

export interface Comparison {
  readonly comparator: Comparator
  /** One; of `BETWEEN` two, of `IN` and `NOT IN` at least one. */
  readonly literals: readonly Literal[]
}

export type Literal =
  | { readonly kind: 'text'; readonly text: string }
  /** As it is written, sign and all. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'now'; readonly period?: Period }
  | { readonly kind: 'myself' }
  | { readonly kind: 'open' }

/** What is added to now. */
export interface Period {
  readonly count: number
  readonly unit: 'd' | 'w' | 'm' | 'y'
}

/** Who asks, when, and what can be looked up for it. */
export interface Asking {
  readonly viewer: Viewer
  readonly now: Date
  /** The zone of the caller, else of the platform: in it a day of instants begins and ends. */
  readonly zone: string
  readonly tracker: LoadedTracker
  /** The account with this login, whatever its case. */
  findUser(login: string): Promise<number | undefined>
  /** What people have added to an open list under this label, whatever its case. */
  findOpenValue(field: Element['id'], label: string): Promise<number | undefined>
}

/** Why a search is refused; whoever asked adds the field and the place. */
export class SearchFault extends Error {
  readonly reason: Reason
  readonly details: Details

  constructor(reason: Reason, details: Details = {}) {
    super(reason)
    this.reason = reason
    this.details = details
  }
}
