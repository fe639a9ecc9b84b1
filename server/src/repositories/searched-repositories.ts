import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import { allOf } from '../platform/database/conditions.ts'
import { viewerIsMember } from '../projects/groups/memberships.ts'
import { joinProject, projectShortname } from '../projects/project-sql.ts'
import { usesService } from '../projects/project-services/uses-service.ts'
import { parseIdKeyword, RANK, type SearchedKind } from '../projects/search/searched-kind.ts'
import { containsWord, searchWords, matchesAllTerms } from '../projects/search/search-terms-sql.ts'
import { mayEnterAs } from '../projects/visibility.ts'
import { SVN_SERVICE } from './repository.ts'

// Repositories are created by hand, so there are few: a sequential scan needs no index.
const foldedRepositoryName = sql`searchable(repository.name)`

/** Finds repositories by name, for viewers who may list them. */
export const searchedRepositories: SearchedKind = {
  type: 'repository',
  async find({ viewer, keywords, terms, project, tracker, is_open }) {
    if (tracker !== undefined || is_open !== undefined) return undefined // These filters apply to artifacts only.
    const parts = searchWords(terms).map((part) => containsWord(foldedRepositoryName, part))
    const isNamed = sql`coalesce(repository.id = ${parseIdKeyword(keywords) ?? null}::bigint, false)`
    const joined = aliases('project', 'me')
    const isWithin = project === undefined ? sql`true` : sql`repository.project_id = ${project}`
    // Sort by creation, not by the last commit: its date may be hidden from the viewer.
    return sql`
      select repository.id, repository.project_id, case when ${isNamed} then ${RANK.named} else ${RANK.title} end as rank,
        repository.created_on as changed_on
      from repository ${joinProject(sql`repository.project_id`)} cross join me
      where repository.deleted_on is null and ${usesService(SVN_SERVICE)} and ${mayEnterAs(viewer, joined, viewerIsMember(joined))} and ${isWithin}
        and (${isNamed} or ${allOf(parts)} and ${matchesAllTerms(foldedRepositoryName, terms)})`
  },
  async show({ tx }, ids) {
    const { rows } = await sql<{ id: number; name: string; shortname: string }>`
      select repository.id, repository.name, ${projectShortname} as shortname
      from repository ${joinProject(sql`repository.project_id`)} where repository.id = any(${ids}::bigint[])`.execute(
      tx,
    )
    return new Map(
      rows.map(({ id, name, shortname }) => [
        id,
        {
          xref: null, // Texts refer to revisions (`svn #core/318`), not to repositories.
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
