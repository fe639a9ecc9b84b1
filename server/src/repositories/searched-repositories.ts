import { sql } from 'kysely'
import { allOf } from '../platform/database/conditions.ts'
import { amMember } from '../projects/groups/memberships.ts'
import { itsProject, shortnameOf } from '../projects/its-project.ts'
import { usesService } from '../projects/project-services/uses-service.ts'
import { idIn, RANK, type SearchedKind } from '../projects/search/searched-kind.ts'
import { holds, partsOf, saysAll } from '../projects/search/words-sql.ts'
import { mayEnterAs } from '../projects/visibility.ts'
import { SERVICE } from './repository.ts'

// There are as many as projects have made by hand: no index is needed to look at each.
const foldedName = sql`searchable(repository.name)`

/** Repositories are found by their names, by whoever may list them. */
export const searchedRepositories: SearchedKind = {
  type: 'repository',
  async find({ viewer, keywords, terms, project, tracker, is_open }) {
    if (tracker !== undefined || is_open !== undefined) return undefined // Only artifacts are in a tracker, or open.
    const parts = partsOf(terms).map((part) => holds(foldedName, part))
    const isNamed = sql`coalesce(repository.id = ${idIn(keywords) ?? null}::bigint, false)`
    const isWithin = project === undefined ? sql`true` : sql`repository.project_id = ${project}`
    // Commits are not for everybody: when the last one came must not show in the order.
    return sql`
      select repository.id, repository.project_id, case when ${isNamed} then ${RANK.named} else ${RANK.title} end as rank,
        repository.created_on as changed_on
      from repository ${itsProject(sql`repository.project_id`)} cross join me
      where repository.deleted_on is null and ${usesService(SERVICE)} and ${mayEnterAs(viewer, amMember)} and ${isWithin}
        and (${isNamed} or ${allOf(parts)} and ${saysAll(foldedName, terms)})`
  },
  async show({ tx }, ids) {
    const { rows } = await sql<{ id: number; name: string; shortname: string }>`
      select repository.id, repository.name, ${shortnameOf} as shortname
      from repository ${itsProject(sql`repository.project_id`)} where repository.id = any(${ids}::bigint[])`.execute(tx)
    return new Map(
      rows.map(({ id, name, shortname }) => [
        id,
        {
          xref: null, // Texts refer to revisions: `svn #core/318`.
          html_url: `/projects/${shortname}/repositories/${name}`,
          title: name,
          color_name: null,
          icon_name: 'fa-code-branch',
          cropped_content: null,
        },
      ]),
    )
  },
}
