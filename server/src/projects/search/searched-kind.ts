import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { ProjectId } from '../project.ts'
import type { SearchTerm } from './keywords.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** The searchable kinds. Modules above provide them in `ports.ts`. */
    readonly searchedKinds: readonly SearchedKind[]
  }
}

/** All kinds of the contract. */
export const SEARCHED_TYPES = ['artifact', 'project', 'repository'] as const

/** A search request. */
export interface SearchQuery {
  readonly context: Context
  /** A transaction with one snapshot. */
  readonly tx: Tx
  readonly viewer: Viewer
  /** The keywords as given: they may be a reference or an id. */
  readonly keywords: string
  /** Folded. All of them must match. */
  readonly terms: readonly SearchTerm[]
  readonly project?: ProjectId | undefined
  readonly tracker?: number | undefined
  readonly is_open?: boolean | undefined
}

/** The rank of a hit: exact names first. */
export const RANK = { named: sql`0`, title: sql`1`, text: sql`2` } as const

/** The representation of a hit. */
export interface ShownHit {
  readonly xref: string | null
  readonly html_url: string
  readonly title: string | null
  readonly color_name: string | null
  readonly icon_name: string
  /** The excerpt around the first hit, in one line; null if only the title matches. */
  readonly cropped_content: string | null
}

/** A kind of object that can be searched by keywords. */
export interface SearchedKind {
  readonly type: (typeof SEARCHED_TYPES)[number]
  /** Throws an error if the request names an object of this kind that the viewer may not see. */
  check?(searchQuery: SearchQuery): Promise<void>
  /**
   * Subquery for the visible matches, found by readable data only: (id, project_id, rank, changed_on). The statement
   * has the row of `me` (`memberships`). Undefined: nothing of this kind can match.
   */
  find(searchQuery: SearchQuery): Promise<RawBuilder<unknown> | undefined>
  /** The representations by id. */
  show(searchQuery: SearchQuery, ids: readonly number[]): Promise<ReadonlyMap<number, ShownHit>>
}

/** The id, if the keywords are one. */
export function parseIdKeyword(keywords: string): number | undefined {
  const [, digits] = /^#?(\d{1,15})$/.exec(keywords) ?? []
  return digits === undefined ? undefined : Number(digits)
}
