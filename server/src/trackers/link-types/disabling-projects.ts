import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { joinProject, projectShortname } from '../../projects/project-sql.ts'

/** CLI: the short names of the projects that disabled each link type. */
export async function findDisablingProjects(db: Db): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ shortname: string; projects: string[] }>`
    select disabled.shortname, array_agg(${projectShortname} order by ${projectShortname}) as projects
    from disabled_link_type disabled ${joinProject(sql`disabled.project_id`)} group by 1`.execute(db)
  return new Map(rows.map(({ shortname, projects }) => [shortname, projects]))
}
