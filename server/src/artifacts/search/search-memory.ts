import type { CompiledQuery } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Snapshots } from '../../platform/database/snapshots.ts'
import type { KeysetPosition } from '../../platform/http/pages.ts'
import type { ArtifactId } from '../artifact.ts'
import type { SelectedVersions } from './entry-versions.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly searches: SearchMemory
  }
}

/** A page as the statement selects it. */
export interface SelectedPage {
  readonly stamps: readonly string[]
  /** Null if the statement is only for few hits, and there are more. */
  readonly size: number | null
  readonly found: readonly { readonly id: ArtifactId; readonly place: KeysetPosition }[]
  readonly versions?: SelectedVersions
  /** The state of the database that it was read in. */
  readonly snapshot: string
}

/** Results of search statements, which hold as long as nothing is written to the database. */
export interface SearchMemory {
  /** The result of this statement with these parameters in the present state of the database, if it is known. */
  find(statement: CompiledQuery): Promise<SelectedPage | undefined>
  store(statement: CompiledQuery, page: SelectedPage): void
  /** The number of hits of the same search when it last ran: only for choosing a plan. */
  readonly sizes: LRUCache<string, number>
}

const MAX_ROWS = 50_000
/** In characters of the searches, which are their keys. */
const MAX_SIZES_LENGTH = 2 ** 22

export function createSearchMemory(snapshots: Snapshots): SearchMemory {
  const pages = new LRUCache<string, SelectedPage>({
    maxSize: MAX_ROWS,
    sizeCalculation: ({ found }) => 1 + found.length,
  })
  return {
    async find(statement) {
      const known = pages.get(keyOf(statement))
      if (!known || known.snapshot !== snapshots.latest) return undefined
      return (await snapshots.read()) === known.snapshot ? known : undefined
    },
    store(statement, page) {
      pages.set(keyOf(statement), { ...page, snapshot: snapshots.note(page.snapshot) })
    },
    sizes: new LRUCache({ maxSize: MAX_SIZES_LENGTH, sizeCalculation: (_, search) => search.length }),
  }
}

function keyOf({ sql, parameters }: CompiledQuery): string {
  return `${JSON.stringify(parameters)} ${sql}`
}
