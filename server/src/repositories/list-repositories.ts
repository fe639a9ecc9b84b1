import { sql } from 'kysely'
import { Type } from 'typebox'
import { cutPage } from '../platform/http/pages.ts'
import { idParam, readRoute } from '../platform/http/route.ts'
import { readJsonQuery } from '../platform/wire/json-query.ts'
import { findProject } from '../projects/find-project.ts'
import type { ProjectId } from '../projects/project.ts'
import { usesService } from '../projects/project-services/uses-service.ts'
import { joinProject } from '../projects/project-sql.ts'
import { type RepositoryRow, representRepository, SVN_SERVICE } from './repository.ts'
import { Repository } from './schemas.ts'

const RepositoryFilter = Type.Object({ name: Type.Optional(Type.String({ maxLength: 255 })) })

export const listRepositories = readRoute({
  method: 'GET',
  path: '/projects/:id/svn',
  operationId: 'listRepositories',
  summary: 'List the Subversion repositories of a project.',
  description:
    'Lists Subversion repositories of a project. Everyone who may see the project. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<ProjectId>('The project.') },
  query: { query: Type.Optional(Type.String({ description: 'A JSON object with the exact `name`.' })) },
  pages: { default: 10, min: 0, max: 1000 },
  answer: Type.Object({ repositories: Type.Array(Repository) }),
  async handle({ context, viewer, params, query, page }) {
    const { name } = readJsonQuery(RepositoryFilter, query.query)
    const project = await findProject(context.db, viewer, params.id)
    const place = page.after
      ? sql`(folded(repository.name), repository.id) > (${page.after[0]}, ${page.after[1]})`
      : sql`true`
    const { rows } = await sql<RepositoryRow & { id: RepositoryRow['id'] | null; place: string; size: number }>`
      with fitting as (
        select repository.id, repository.project_id, repository.name
        from repository ${joinProject(sql`repository.project_id`)}
        where repository.project_id = ${project.id} and repository.deleted_on is null
          and (${name ?? null}::text is null or repository.name = ${name ?? null}) and ${usesService(SVN_SERVICE)}
      )
      select counted.size, shown.* from (select count(*) as size from fitting) counted left join lateral (
        select repository.*, folded(repository.name) as place from fitting repository where ${place}
        order by folded(repository.name), repository.id limit ${page.limit + 1} offset ${page.after ? 0 : page.offset}
      ) shown on true
      order by shown.place, shown.id`.execute(context.db)
    const { rows: shown, next } = cutPage(
      rows.filter((row) => row.id !== null),
      page.limit,
      (row) => [row.place, row.id],
    )
    const repositories = shown.map((row) => representRepository(context.config, row, project, viewer))
    return { body: { repositories }, size: rows[0]?.size ?? 0, next }
  },
})
