import type { PeriodUnit } from './zones.ts'

// A query as data: printed for the server, and evaluated by the oracle without parsing.

export type OracleOrder = 'asc' | 'desc'

export type OracleQuery =
  | { readonly kind: 'plain'; readonly order?: OracleOrder }
  | {
      readonly kind: 'criteria'
      readonly criteria: readonly OracleCriterion[]
      readonly place: 'query' | 'body' | 'both'
      readonly order?: OracleOrder
    }
  | ({ readonly kind: 'tql'; readonly order?: OracleOrder } & OracleTql)

export interface OracleTql {
  readonly where: OracleTerm
  readonly as_of?: OracleAsOf
  readonly sort?: readonly OracleSortKey[]
  /** The formatting: the same query in another style; see `WritingStyle`. */
  readonly hand?: number
}

/** `written` as in the query; `at` is the last instant that it includes. */
export interface OracleAsOf {
  readonly written: string
  readonly at: number
}

export interface OracleSortKey {
  readonly by: string
  readonly direction?: 'ASC' | 'DESC' | 'ASCENDING' | 'DESCENDING'
}

export type Operator = 'contains' | '=' | 'between' | '>' | '<'

/** `operator` absent: the basic form. The key is the name of the field, or its id. */
export interface OracleCriterion {
  readonly field: string
  readonly key: string
  readonly operator?: Operator
  readonly value: CriterionValue
}

export type Scalar = string | number

export type CriterionValue = Scalar | readonly Scalar[] | { readonly [member: string]: Scalar }

export type OracleTerm =
  | { readonly kind: 'and'; readonly of: readonly OracleTerm[] }
  | { readonly kind: 'or'; readonly of: readonly OracleTerm[] }
  | { readonly kind: 'not'; readonly of: OracleTerm }
  | OracleComparison
  | OracleLinkTerm

export type OracleComparator = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'IN' | 'NOT IN'

export interface OracleComparison {
  readonly kind: 'compare'
  /** The name of a field, or `@` and a keyword. */
  readonly subject: string
  readonly comparator: OracleComparator
  readonly literals: readonly OracleLiteral[]
}

export type OracleLiteral =
  | { readonly kind: 'string'; readonly text: string }
  /** As written. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'now'; readonly count?: number; readonly unit?: PeriodUnit }
  | { readonly kind: 'myself' }
  | { readonly kind: 'open' }

export interface OracleLinkTerm {
  readonly kind: 'link'
  readonly form: 'parent' | 'children' | 'to' | 'from' | 'covered' | 'covering'
  readonly isNegated?: boolean
  /** All visible targets, and at least one. */
  readonly isAll?: boolean
  /** Only for `to` and `from`. */
  readonly type?: string
  readonly ends?: readonly number[]
  readonly tracker?: { readonly item_name: string; readonly isNot: boolean }
  readonly where?: OracleTerm
}

/** Why the server must refuse. */
export interface OracleRefusal {
  readonly reason: string
  /** Absent: not specified by the contract. */
  readonly cause?: string
}

export type Expected =
  | { readonly ids: readonly number[] }
  | { readonly refusals: readonly [OracleRefusal, ...OracleRefusal[]] }
