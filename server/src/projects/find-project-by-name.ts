import { sql } from 'kysely'
import type { Context } from '../platform/operation/context.ts'
import type { ProjectId } from './project.ts'

/** CLI: finds a project by id or short name. */
export async function findProjectByName({ db }: Pick<Context, 'db'>, name: string): Promise<ProjectId> {
  const id = /^\d{1,15}$/.test(name) ? Number(name) : null
  const { rows } = await sql<{ id: ProjectId }>`
    select project.id from project where project.id = ${id}::bigint or folded(project.shortname) = folded(${name})
    order by project.id = ${id}::bigint desc nulls last limit 1`.execute(db)
  const [found] = rows
  if (!found) throw new Error(`There is no project ${name}.`)
  return found.id
}
