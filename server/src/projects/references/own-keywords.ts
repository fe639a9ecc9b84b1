import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { ProjectId } from '../project.ts'
import type { ReferenceKind } from './reference-kind.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Keywords specific to each project. Provided in `ports.ts`. */
    readonly ownKeywords: OwnKeywords
  }
}

export interface OwnKeywords {
  /** The keywords of the statement's `project` row that the viewer may know, as a lower-case array. */
  known(viewer: Viewer): RawBuilder<string[]>
  /** The reference kind of all these keywords. */
  readonly kind: Omit<ReferenceKind, 'keywords'>
}

/** The kind of a keyword that only this project has, if it exists. */
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

/** The keywords of a project that the viewer may know. */
export async function findOwnKeywords(
  { ownKeywords }: { readonly ownKeywords: OwnKeywords },
  db: Db | Tx,
  viewer: Viewer,
  project: ProjectId,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ keywords: string[] }>`
    select ${ownKeywords.known(viewer)} as keywords from project where project.id = ${project}`.execute(db)
  return new Set(rows[0]?.keywords)
}

/** Scalar subquery for the id of the project with this short name. */
export function projectIdByShortname(shortname: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql`(select named.id from project named where folded(named.shortname) = folded(${shortname}))`
}
