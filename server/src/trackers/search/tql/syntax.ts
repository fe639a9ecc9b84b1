import type { Comparator, QueryLiteral } from '../field-search.ts'

/** The syntax tree of a query. `position` is the zero-based start of each part. */
export interface Query {
  /** EXPLAIN: return the plan instead of the result. */
  readonly isExplained: boolean
  /** Absent: a search in one tracker. */
  readonly select?: Select
  /** Absent: no condition. */
  readonly where?: Expression
  readonly asOf?: AsOf
  readonly orderBy: readonly OrderKey[]
  /** The number of comparisons and link terms at any depth. */
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
  /** `field` or `@metadata`; the name excludes the `@`. */
  readonly kind: 'field' | 'metadata'
  readonly name: string
  readonly position: number
}

export type PlacedLiteral = QueryLiteral & { readonly position: number }

export interface LinkTerm {
  readonly kind: 'link'
  readonly position: number
  readonly form: LinkForm
  readonly isNot: boolean
  /** All linked artifacts must match, instead of at least one. */
  readonly isEvery: boolean
  /** Ids of the linked artifacts, as written. */
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

/** The columns and sources of a cross-tracker search. */
export interface Select {
  readonly position: number
  readonly columns: readonly Searchable[]
  readonly sources: readonly SelectSource[]
}

export interface SelectSource {
  readonly position: number
  readonly subject: 'project' | 'project.name' | 'project.category' | 'tracker.name'
  /** The caller's projects, or the given names. */
  readonly is: 'MY_PROJECTS' | readonly PlacedName[]
}

export interface PlacedName {
  readonly text: string
  readonly position: number
}
