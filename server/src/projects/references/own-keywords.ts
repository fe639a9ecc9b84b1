import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { ReferenceKind } from './reference-kind.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Keywords that each project has of its own. Filled in `ports.ts`. */
    readonly ownKeywords: OwnKeywords
  }
}

export interface OwnKeywords {
  /** Those of the row of `project` that the statement looks at, which the viewer may know: an array, in lower case. */
  known(viewer: Viewer): RawBuilder<string[]>
  /** What they all mean. */
  readonly kind: Omit<ReferenceKind, 'keywords'>
}

/** What a keyword means in this project alone, if it knows it. */
export async function findOwnKind(
  { db, ownKeywords }: { readonly db: Db; readonly ownKeywords: OwnKeywords },
  viewer: Viewer,
  project: { readonly id: number },
  keyword: string,
): Promise<ReferenceKind | undefined> {
  const { rows } = await sql<{ is_known: boolean }>`
    select ${keyword} = any(${ownKeywords.known(viewer)}) as is_known from project where project.id = ${project.id}`.execute(
    db,
  )
  return rows[0]?.is_known ? { ...ownKeywords.kind, keywords: [keyword] } : undefined
}

/** The id of the project with this short name, as a part of a statement. */
export function projectNamed(shortname: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql`(select named.id from project named where folded(named.shortname) = folded(${shortname}))`
}
