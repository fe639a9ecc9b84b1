import { sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import { allOf } from '../../platform/database/conditions.ts'
import { viewerIsMember } from '../groups/memberships.ts'
import { isListedProject } from '../list-projects.ts'
import { mayEnterAs } from '../visibility.ts'
import { parseIdKeyword, RANK, type SearchedKind } from './searched-kind.ts'
import { containsWord, searchWords, matchesAllTerms, SEAM_SQL } from './search-terms-sql.ts'

// Must equal the expression of the index `project_names`.
export const projectNames = sql`searchable(project.label || ${SEAM_SQL} || project.shortname)`

/** Projects are searched by name only. */
export const searchedProjects: SearchedKind = {
  type: 'project',
  async find({ viewer, keywords, terms, project, tracker, is_open }) {
    if (tracker !== undefined || is_open !== undefined) return undefined // Only artifacts have a tracker or are open.
    const parts = searchWords(terms).map((part) => containsWord(projectNames, part))
    const isNamed = sql`coalesce(project.id = ${parseIdKeyword(keywords) ?? null}::bigint, false)`
    const joined = aliases('project', 'me')
    const isWithin = project === undefined ? sql`true` : sql`project.id = ${project}`
    return sql`
      select project.id, project.id as project_id, case when ${isNamed} then ${RANK.named} else ${RANK.title} end as rank,
        project.created_on as changed_on
      from project cross join me
      where ${isListedProject} and ${mayEnterAs(viewer, joined, viewerIsMember(joined))} and ${isWithin}
        and (${isNamed} or ${allOf(parts)} and ${matchesAllTerms(projectNames, terms)})`
  },
  async show({ tx }, ids) {
    const { rows } = await sql<{ id: number; shortname: string; label: string }>`
      select project.id, project.shortname, project.label from project where project.id = any(${ids}::bigint[])`.execute(
      tx,
    )
    return new Map(
      rows.map(({ id, shortname, label }) => [
        id,
        {
          xref: null,
          html_url: `/projects/${shortname}`,
          title: label,
          color_name: null,
          icon_name: 'fa-home',
          cropped_content: null,
        },
      ]),
    )
  },
}
