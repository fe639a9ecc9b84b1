import { sql } from 'kysely'
import { allOf } from '../../platform/database/conditions.ts'
import { amMember } from '../groups/memberships.ts'
import { listed } from '../list-projects.ts'
import { mayEnterAs } from '../visibility.ts'
import { idIn, RANK, type SearchedKind } from './searched-kind.ts'
import { holds, partsOf, saysAll, SEAM } from './words-sql.ts'

// As in the index `project_names`, word for word.
const names = sql`searchable(project.label || ${SEAM} || project.shortname)`

/** Projects are found by their names, and by nothing else that they say. */
export const searchedProjects: SearchedKind = {
  type: 'project',
  async find({ viewer, keywords, terms, project, tracker, is_open }) {
    if (tracker !== undefined || is_open !== undefined) return undefined // Only artifacts are in a tracker, or open.
    const parts = partsOf(terms).map((part) => holds(names, part))
    const isNamed = sql`coalesce(project.id = ${idIn(keywords) ?? null}::bigint, false)`
    const isWithin = project === undefined ? sql`true` : sql`project.id = ${project}`
    return sql`
      select project.id, project.id as project_id, case when ${isNamed} then ${RANK.named} else ${RANK.title} end as rank,
        project.created_on as changed_on
      from project cross join me
      where ${listed} and ${mayEnterAs(viewer, amMember)} and ${isWithin}
        and (${isNamed} or ${allOf(parts)} and ${saysAll(names, terms)})`
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
