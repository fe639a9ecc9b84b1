import type { FieldId, GroupNumber, TrackerId } from '../tracker.ts'

/**
 * A search condition, independent of the query language. It is true or false for every artifact, never unknown. Field
 * types create conditions; the artifacts module compiles them to SQL.
 */
export type Condition =
  | { readonly kind: 'all'; readonly of: readonly Condition[] }
  | { readonly kind: 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  /**
   * One of these list values, people or groups is chosen; added values of an open list are negative, as in the index.
   */
  | { readonly kind: 'chosen'; readonly field: FieldId; readonly ids: readonly number[] }
  /** The list is not empty. */
  | { readonly kind: 'chosen_any'; readonly field: FieldId }
  | ({ readonly kind: 'number'; readonly field: FieldId; readonly unit: Unit } & NumberRange)
  /** Matches the decimal text of a number. */
  | { readonly kind: 'number_pattern'; readonly field: FieldId; readonly pattern: Pattern }
  | ({ readonly kind: 'text'; readonly field: StoredTextOf } & TextTest)
  /** A file whose name or description contains the text, ignoring case. */
  | { readonly kind: 'attached'; readonly field: FieldId; readonly contains: string }
  | ({ readonly kind: 'fact'; readonly fact: NumberFact } & NumberRange)
  | { readonly kind: 'fact_pattern'; readonly fact: NumberFact; readonly pattern: Pattern }
  | {
      readonly kind: 'instant'
      readonly fact: 'submitted_on' | 'last_modified_date'
      readonly from?: Date
      readonly before?: Date
    }
  | { readonly kind: 'person'; readonly fact: 'submitted_by' | 'last_update_by'; readonly ids: readonly number[] }
  /**
   * A comment that is unrestricted or readable by one of these groups; `readers` null: any comment. `contains` null:
   * any text.
   */
  | { readonly kind: 'comment'; readonly contains: string | null; readonly readers: readonly GroupNumber[] | null }
  | LinkCondition
  /** Limits a condition to some trackers, for names that resolve to several fields. */
  | { readonly kind: 'tracker'; readonly ids: readonly TrackerId[] }

/** The unit of an index number: days or seconds since 1970-01-01, or a plain number. */
export type Unit = 'number' | 'day' | 'second'
export type NumberFact = 'id' | 'number' | 'rank'

/** An absent end is unbounded. Both absent: any number is present. */
export interface NumberRange {
  readonly from?: number
  readonly to?: number
  /** The ends are exclusive. */
  readonly isAfter?: boolean
  readonly isBefore?: boolean
}

/** The location of a text in the stored values. */
export interface StoredTextOf {
  readonly id: FieldId
  /** The member that contains the text; absent: the value is the text. */
  readonly member?: string
}

export type TextTest =
  /** A substring, ignoring case. */
  | { readonly contains: string }
  | { readonly pattern: Pattern }
  /** The text is not empty. */
  | { readonly isThere: true }

/** A PostgreSQL regular expression that passed `checkPattern`. */
export type Pattern = string

/** A link from (`forward`) or to the artifact, whose other end the viewer may see. */
export interface LinkCondition {
  readonly kind: 'link'
  readonly direction: 'forward' | 'reverse'
  /** Absent: any type. '' is the untyped link. */
  readonly type?: string
  readonly ends?: readonly number[]
  /** The item name of the linked artifact's tracker. */
  readonly tracker?: { readonly name: string; readonly isNot: boolean }
  /** The condition on the linked artifact. */
  readonly where?: Condition
  /** All linked artifacts match, and there is at least one; absent: at least one matches. */
  readonly every?: true
}

/** A sort key. */
export interface SortKey {
  readonly by: SortValue
  /** The alternatives if a name resolves to a different field in each tracker: an artifact has one of them. */
  readonly or?: readonly SortValue[]
  readonly isDescending: boolean
}

export type SortValue =
  | { readonly kind: 'number'; readonly field: FieldId; readonly unit: Unit }
  | { readonly kind: 'text'; readonly field: StoredTextOf }
  /** By the position of the chosen value in this list. */
  | { readonly kind: 'place'; readonly field: FieldId; readonly ids: readonly number[] }
  /** By the login of the chosen person. */
  | { readonly kind: 'login_of_chosen'; readonly field: FieldId }
  | { readonly kind: 'login'; readonly fact: 'submitted_by' | 'last_update_by' }
  | { readonly kind: 'fact'; readonly fact: NumberFact | 'submitted_on' | 'last_modified_date' }

export const ALWAYS_TRUE: Condition = { kind: 'all', of: [] }
export const ALWAYS_FALSE: Condition = { kind: 'any', of: [] }

export function conjunction(...of: readonly Condition[]): Condition {
  return of.length === 1 && of[0] ? of[0] : { kind: 'all', of }
}

export function disjunction(...of: readonly Condition[]): Condition {
  return of.length === 1 && of[0] ? of[0] : { kind: 'any', of }
}

export function negation(of: Condition): Condition {
  return { kind: 'not', of }
}
