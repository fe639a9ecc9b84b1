import type { FieldId, GroupNumber, TrackerId } from '../tracker.ts'

/**
 * What a search asks of an artifact, whatever language it was written in. It is true or false of every artifact, never
 * unknown. Types of fields say what they mean by it; the room of artifacts makes SQL of it.
 */
export type Condition =
  | { readonly kind: 'all'; readonly of: readonly Condition[] }
  | { readonly kind: 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  /** One of these list values, people or groups is chosen; what people have added to an open list is negative, as in its index. */
  | { readonly kind: 'chosen'; readonly field: FieldId; readonly ids: readonly number[] }
  /** Anything is chosen at all. */
  | { readonly kind: 'chosen_any'; readonly field: FieldId }
  | ({ readonly kind: 'number'; readonly field: FieldId; readonly unit: Unit } & Range)
  /** The decimal text of a number. */
  | { readonly kind: 'number_pattern'; readonly field: FieldId; readonly pattern: Pattern }
  | ({ readonly kind: 'text'; readonly field: StoredTextOf } & TextTest)
  /** A file in it has this in its name or its description, whatever the case. */
  | { readonly kind: 'attached'; readonly field: FieldId; readonly contains: string }
  | ({ readonly kind: 'fact'; readonly fact: NumberFact } & Range)
  | { readonly kind: 'fact_pattern'; readonly fact: NumberFact; readonly pattern: Pattern }
  | {
      readonly kind: 'instant'
      readonly fact: 'submitted_on' | 'last_modified_date'
      readonly from?: Date
      readonly before?: Date
    }
  | { readonly kind: 'person'; readonly fact: 'submitted_by' | 'last_update_by'; readonly ids: readonly number[] }
  /** A comment that somebody in these groups may read, or anybody; `readers` null: every one. `contains` null: whatever it says. */
  | { readonly kind: 'comment'; readonly contains: string | null; readonly readers: readonly GroupNumber[] | null }
  | LinkCondition
  /** Of artifacts in other trackers, where a name may mean several fields. */
  | { readonly kind: 'tracker'; readonly ids: readonly TrackerId[] }

/** What the numbers of an index count: days since 1970-01-01, seconds since then, or what they say. */
export type Unit = 'number' | 'day' | 'second'
export type NumberFact = 'id' | 'number' | 'rank'

/** Absent: without end. Both absent: there is a number at all. */
export interface Range {
  readonly from?: number
  readonly to?: number
  /** The ends do not belong to it. */
  readonly isAfter?: boolean
  readonly isBefore?: boolean
}

/** Where a text stands in the values of an artifact. */
export interface StoredTextOf {
  readonly id: FieldId
  /** The member that holds it; absent: the value is the text. */
  readonly member?: string
}

export type TextTest =
  /** Somewhere in the text, whatever its case. */
  | { readonly contains: string }
  | { readonly pattern: Pattern }
  /** There is a text, and it is not empty. */
  | { readonly isThere: true }

/** A regular expression of PostgreSQL, that has been checked. */
export type Pattern = string

/** A link, from here (`forward`) or to here, whose other end the viewer sees. */
export interface LinkCondition {
  readonly kind: 'link'
  readonly direction: 'forward' | 'reverse'
  /** Absent: of any type. '' is no type. */
  readonly type?: string
  readonly ends?: readonly number[]
  /** The item name of the tracker of the other end. */
  readonly tracker?: { readonly name: string; readonly isNot: boolean }
  /** What the other end must be like. */
  readonly where?: Condition
  /** Every one of them is like that, and there is one; absent: one of them is. */
  readonly every?: true
}

/** What a list is sorted by. */
export interface SortKey {
  readonly by: SortValue
  /** Where a name means another field in each tracker: an artifact has one of them. */
  readonly or?: readonly SortValue[]
  readonly isDescending: boolean
}

export type SortValue =
  | { readonly kind: 'number'; readonly field: FieldId; readonly unit: Unit }
  | { readonly kind: 'text'; readonly field: StoredTextOf }
  /** By the place of the chosen value among these. */
  | { readonly kind: 'place'; readonly field: FieldId; readonly ids: readonly number[] }
  /** By the login of whoever is chosen. */
  | { readonly kind: 'login_of_chosen'; readonly field: FieldId }
  | { readonly kind: 'login'; readonly fact: 'submitted_by' | 'last_update_by' }
  | { readonly kind: 'fact'; readonly fact: NumberFact | 'submitted_on' | 'last_modified_date' }

export const EVERYTHING: Condition = { kind: 'all', of: [] }
export const NOTHING: Condition = { kind: 'any', of: [] }

export function both(...of: readonly Condition[]): Condition {
  return of.length === 1 && of[0] ? of[0] : { kind: 'all', of }
}

export function either(...of: readonly Condition[]): Condition {
  return of.length === 1 && of[0] ? of[0] : { kind: 'any', of }
}

export function not(of: Condition): Condition {
  return { kind: 'not', of }
}
