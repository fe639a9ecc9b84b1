import { sql } from 'kysely'
import { Type } from 'typebox'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { findProject, requireProjectAdmin } from '../../projects/find-project.ts'
import type { ProjectId } from '../../projects/project.ts'
import { Import, readImports, representImports } from './import.ts'

export const listImports = readRoute({
  method: 'GET',
  path: '/projects/:id/imports',
  operationId: 'listImports',
  summary: 'List the imports into a project, newest first.',
  description:
    'Shows which imports were made into the project, by whom and from where. Project administrators and site administrators. Others get 403, or 404 if they do not see the project.',
  access: 'signed_in',
  params: { id: idParam<ProjectId>('The project.') },
  answer: Type.Array(Import),
  pages: { default: 50, min: 0, max: 100 },
  async handle({ context, viewer, params: { id }, page: { limit, offset } }) {
    const { db } = context
    requireProjectAdmin(viewer, await findProject(db, viewer, id))
    const rows = await readImports(
      db,
      sql`artifact_import.project_id = ${id}`,
      sql`order by artifact_import.id desc limit ${limit} offset ${offset}`,
    )
    const { rows: counted } = await sql<{ size: number }>`
      select count(*) as size from artifact_import where artifact_import.project_id = ${id}`.execute(db)
    return { body: await representImports(context, db, viewer, rows), size: counted[0]?.size ?? 0 }
  },
})
