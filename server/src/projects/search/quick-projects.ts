import { sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import { allOf } from '../../platform/database/conditions.ts'
import { isListedProject } from '../list-projects.ts'
import { type Project, representProjectMinimal } from '../project.ts'
import { isMemberOf, mayEnter } from '../visibility.ts'
import type { QuickProject, QuickQuery } from './quick-kind.ts'
import { projectNames } from './searched-projects.ts'
import { containsWord, matchesAllTerms, searchWords } from './search-terms-sql.ts'

/** Projects by name, those of the viewer first. */
export async function findQuickProjects({ context, viewer, terms, limit }: QuickQuery): Promise<QuickProject[]> {
  const rows = aliases('project')
  const parts = searchWords(terms).map((part) => containsWord(projectNames, part))
  const { rows: found } = await sql<Omit<Project, 'description'>>`
    select project.id, project.shortname, project.label, project.icon, project.status, project.access,
      project.is_template, ${isMemberOf(viewer, rows)} as is_member_of
    from project
    where ${isListedProject} and ${allOf(parts)} and ${matchesAllTerms(projectNames, terms)} and ${mayEnter(viewer, rows)}
    order by is_member_of desc, project.label collate waypost, project.id limit ${limit}`.execute(context.db)
  return found.map((project) => ({
    ...representProjectMinimal(project),
    icon: project.icon,
    html_url: `/projects/${project.shortname}`,
    is_member_of: project.is_member_of,
  }))
}
