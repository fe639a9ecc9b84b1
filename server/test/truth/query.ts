import type { PeriodUnit } from './zones.ts'

// A question as data: it is printed for the server, and answered as data by the oracle. Nobody parses anything.

export type Order = 'asc' | 'desc'

export type Query =
  | { readonly kind: 'plain'; readonly order?: Order }
  | {
      readonly kind: 'criteria'
      readonly criteria: readonly Criterion[]
      readonly place: 'query' | 'body' | 'both'
      readonly order?: Order
    }
  | ({ readonly kind: 'tql'; readonly order?: Order } & Asked)

export interface Asked {
  readonly where: Term
  readonly as_of?: AsOf
  readonly sort?: readonly SortKey[]
  /** How it is written: the same question in another hand; see `Hand`. */
  readonly hand?: number
}

/** `written` as in the query; `at` is the last instant that belongs to it. */
export interface AsOf {
  readonly written: string
  readonly at: number
}

export interface SortKey {
  readonly by: string
  readonly direction?: 'ASC' | 'DESC' | 'ASCENDING' | 'DESCENDING'
}

export type Operator = 'contains' | '=' | 'between' | '>' | '<'

/** `operator` absent: the basic form. The key is the name of the field, or its id. */
export interface Criterion {
  readonly field: string
  readonly key: string
  readonly operator?: Operator
  readonly value: CriterionValue
}

export type Scalar = string | number

export type CriterionValue = Scalar | readonly Scalar[] | { readonly [member: string]: Scalar }

export type Term =
  | { readonly kind: 'and'; readonly of: readonly Term[] }
  | { readonly kind: 'or'; readonly of: readonly Term[] }
  | { readonly kind: 'not'; readonly of: Term }
  | Comparison
  | LinkTerm

export type Comparator = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'IN' | 'NOT IN'

export interface Comparison {
  readonly kind: 'compare'
  /** The name of a field, or `@` and what is meant. */
  readonly subject: string
  readonly comparator: Comparator
  readonly literals: readonly Literal[]
}

export type Literal =
  | { readonly kind: 'string'; readonly text: string }
  /** As it is written. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'now'; readonly count?: number; readonly unit?: PeriodUnit }
  | { readonly kind: 'myself' }
  | { readonly kind: 'open' }

export interface LinkTerm {
  readonly kind: 'link'
  readonly form: 'parent' | 'children' | 'to' | 'from' | 'covered' | 'covering'
  readonly isNegated?: boolean
  /** Every visible end, and at least one. */
  readonly isAll?: boolean
  /** Of `to` and `from` alone. */
  readonly type?: string
  readonly ends?: readonly number[]
  readonly tracker?: { readonly item_name: string; readonly isNot: boolean }
  readonly where?: Term
}

/** Why the server has to refuse. */
export interface Refusal {
  readonly reason: string
  /** Absent: the contract does not fix it. */
  readonly cause?: string
}

export type Expected = { readonly ids: readonly number[] } | { readonly refusals: readonly [Refusal, ...Refusal[]] }
