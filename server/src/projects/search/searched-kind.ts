import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { ProjectId } from '../project.ts'
import type { Term } from './keywords.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** What can be found by keywords. Rooms above fill it in `ports.ts`. */
    readonly searchedKinds: readonly SearchedKind[]
  }
}

/** Every kind of the contract. */
export const TYPES = ['artifact', 'project', 'repository'] as const

/** What somebody looks for, and where. */
export interface Question {
  readonly context: Context
  /** Sees one moment. */
  readonly tx: Tx
  readonly viewer: Viewer
  /** As they were given: they may be a reference, or an id. */
  readonly keywords: string
  /** Folded. All of them must be found. */
  readonly terms: readonly Term[]
  readonly project?: ProjectId | undefined
  readonly tracker?: number | undefined
  readonly is_open?: boolean | undefined
}

/** How well something fits: what was named exactly comes first. */
export const RANK = { named: sql`0`, title: sql`1`, text: sql`2` } as const

/** What an answer shows of something that was found. */
export interface Shown {
  readonly xref: string | null
  readonly html_url: string
  readonly title: string | null
  readonly color_name: string | null
  readonly icon_name: string
  /** What it says around the first hit, in one line; null: no more than its title. */
  readonly cropped_content: string | null
}

/** Something that can be found by keywords. */
export interface SearchedKind {
  readonly type: (typeof TYPES)[number]
  /** Refuses a question that names something of this kind which the viewer does not see. */
  check?(question: Question): Promise<void>
  /**
   * What the viewer may see and finds by what he may read: a query for rows of (id, project_id, rank, changed_on), in a
   * statement that has the row of `me` (`memberships`). Undefined: there can be nothing of this kind.
   */
  find(question: Question): Promise<RawBuilder<unknown> | undefined>
  /** How they are shown, by their ids. */
  show(question: Question, ids: readonly number[]): Promise<ReadonlyMap<number, Shown>>
}

/** The id that the keywords are, if they are one. */
export function idIn(keywords: string): number | undefined {
  const [, digits] = /^#?(\d{1,15})$/.exec(keywords) ?? []
  return digits === undefined ? undefined : Number(digits)
}
