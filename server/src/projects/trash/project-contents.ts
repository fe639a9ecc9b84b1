import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { ProjectId } from '../project.ts'

/** Counts what a module stores in a project, by name, for the report of a deletion. */
export type ProjectContents = (db: Db | Tx, project: ProjectId) => Promise<Readonly<Record<string, number>>>

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Counters of the contents of a deleted project. Modules add theirs in `ports.ts`. */
    readonly projectContents: readonly ProjectContents[]
  }
}

/** Everything that is deleted with a project, counted. */
export async function countProjectContents(
  { projectContents }: Context,
  tx: Tx,
  project: ProjectId,
): Promise<Readonly<Record<string, number>>> {
  const counts = {}
  for (const count of projectContents) Object.assign(counts, await count(tx, project))
  return counts
}

export const countMembers: ProjectContents = async (db, project) => {
  const { rows } = await sql<{ members: number; user_groups: number }>`
    select (select count(*) from project_member where project_member.project_id = ${project}) as members,
      (select count(*) from user_group where user_group.project_id = ${project}) as user_groups`.execute(db)
  return { ...rows[0] }
}
