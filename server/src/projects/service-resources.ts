import type { Context } from '../platform/operation/context.ts'
import type { ProjectId } from './project.ts'

declare module '../platform/operation/context.ts' {
  interface Context {
    /** Sub-resources of a project by service name. Modules above provide them in `sub-resources.ts`. */
    readonly serviceResources: ReadonlyMap<string, readonly string[]>
  }
}

/** The sub-resources of the services that each project uses. */
export async function serviceResources(
  { db, serviceResources: known }: Pick<Context, 'db' | 'serviceResources'>,
  projects: readonly ProjectId[],
): Promise<(project: ProjectId) => string[]> {
  if (projects.length === 0 || known.size === 0) return () => []
  const rows = await db
    .selectFrom('project_service')
    .select(['project_id', 'name'])
    .where('project_id', 'in', projects)
    .where('is_enabled', '=', true)
    .where('name', 'in', [...known.keys()])
    .execute()
  return (project) => {
    const used = new Set(rows.filter((row) => row.project_id === project).map(({ name }) => name))
    return [...known].flatMap(([name, types]) => (used.has(name) ? types : []))
  }
}
