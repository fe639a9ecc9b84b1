import type { Comparator, Literal } from '../field-search.ts'

/** What a text of the query language says. Each part knows where it began: `position` counts from 0. */
export interface Query {
  /** How it is answered is wanted, not its answer. */
  readonly isExplained: boolean
  /** Absent: a search in one tracker. */
  readonly select?: Select
  /** Absent: everything. */
  readonly where?: Expression
  readonly asOf?: AsOf
  readonly orderBy: readonly OrderKey[]
  /** How many comparisons and link terms there are, at any depth. */
  readonly terms: number
}

export type Expression =
  | { readonly kind: 'and' | 'or'; readonly position: number; readonly of: readonly Expression[] }
  | { readonly kind: 'not'; readonly position: number; readonly of: Expression }
  | ComparisonTerm
  | LinkTerm

export interface ComparisonTerm {
  readonly kind: 'comparison'
  readonly position: number
  readonly searchable: Searchable
  readonly comparator: Comparator
  readonly comparatorPosition: number
  readonly literals: readonly PlacedLiteral[]
}

export interface Searchable {
  /** `field`, or `@metadata`, whose name is without the `@`. */
  readonly kind: 'field' | 'metadata'
  readonly name: string
  readonly position: number
}

export type PlacedLiteral = Literal & { readonly position: number }

export interface LinkTerm {
  readonly kind: 'link'
  readonly position: number
  readonly form: LinkForm
  readonly isNot: boolean
  /** Of all of them, and not of one. */
  readonly isEvery: boolean
  /** Artifacts at the other end, as their numbers are written. */
  readonly ends?: readonly string[]
  readonly tracker?: { readonly name: string; readonly isNot: boolean; readonly position: number }
  readonly where?: Expression
  readonly type?: { readonly name: string; readonly position: number }
}

export type LinkForm = 'parent' | 'children' | 'linked_from' | 'linked_to' | 'covered' | 'covering'

export interface AsOf {
  readonly position: number
  readonly instant: Extract<PlacedLiteral, { kind: 'text' | 'now' }>
}

export interface OrderKey {
  readonly position: number
  readonly by: Searchable
  readonly isDescending: boolean
}

/** The columns, and the trackers, of a search in many of them. */
export interface Select {
  readonly position: number
  readonly columns: readonly Searchable[]
  readonly sources: readonly Source[]
}

export interface Source {
  readonly position: number
  readonly subject: 'project' | 'project.name' | 'project.category' | 'tracker.name'
  /** The projects of the caller, or these names. */
  readonly is: 'MY_PROJECTS' | readonly PlacedName[]
}

export interface PlacedName {
  readonly text: string
  readonly position: number
}
