import { sql } from 'kysely'
import { Type } from 'typebox'
import { cutPage } from '../../platform/http/pages.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { findProject } from '../find-project.ts'
import type { ProjectId, ProjectServiceId } from '../project.ts'
import { ProjectService, type ProjectServiceRow, representService } from './project-service.ts'

export const listProjectServices = readRoute({
  method: 'GET',
  path: '/projects/:id/project_services',
  operationId: 'listProjectServices',
  summary: 'List the services of a project.',
  description:
    'Lists the services of a project, and whether they are on. Everyone who may see the project. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<ProjectId>('The project.') },
  pages: { default: 10, min: 0, max: 50 },
  answer: Type.Array(ProjectService),
  async handle({ context, viewer, params, page }) {
    const project = await findProject(context.db, viewer, params.id)
    const place = page.after ? sql`service.id > ${page.after[0]}` : sql`true`
    const { rows } = await sql<ProjectServiceRow & { id: ProjectServiceId | null; size: number }>`
      select counted.size, shown.*
      from (select count(*) as size from project_service where project_id = ${project.id}) counted left join lateral (
        select service.id, service.name, service.label, service.is_enabled, service.icon, service.is_custom, service.url
        from project_service service where service.project_id = ${project.id} and ${place}
        order by service.id limit ${page.limit + 1} offset ${page.after ? 0 : page.offset}
      ) shown on true
      order by shown.id`.execute(context.db)
    const services = cutPage(
      rows.filter((row) => row.id !== null),
      page.limit,
      (row) => [row.id],
    )
    return {
      body: services.rows.map((row) => representService(row, project)),
      size: rows[0]?.size ?? 0,
      next: services.next,
    }
  },
})
