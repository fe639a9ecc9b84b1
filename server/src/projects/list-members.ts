import { sql } from 'kysely'
import { Type } from 'typebox'
import { permissionError } from '../accounts/auth-errors.ts'
import { listUsers } from '../accounts/users/find-user.ts'
import { UserMinimal } from '../accounts/users/schemas.ts'
import { representUserMinimal } from '../accounts/users/user.ts'
import { maySee } from '../accounts/users/visibility.ts'
import { idParam, readRoute } from '../platform/http/route.ts'
import { findProject } from './find-project.ts'
import type { ProjectId } from './project.ts'

export const listMembers = readRoute({
  method: 'GET',
  path: '/projects/:id/members',
  operationId: 'listMembers',
  summary: 'List the members of a project.',
  description:
    'Lists the members by login, without their addresses. Members of the project and site administrators. Others get 403.',
  access: 'signed_in',
  params: { id: idParam<ProjectId>('The project.') },
  pages: { default: 50, min: 0, max: 100 },
  answer: Type.Array(UserMinimal),
  async handle({ context, viewer, params: { id }, page }) {
    const project = await findProject(context.db, viewer, id)
    if (!project.is_member_of && !viewer.is_site_admin) throw permissionError(viewer, 'project_member')
    const isMember = sql`exists (
      select from project_member where project_id = ${project.id} and account_id = account.id)`
    const { rows, size, next } = await listUsers(context.db, sql`${isMember} and ${maySee(context, viewer)}`, page)
    return { body: rows.map((row) => representUserMinimal(context, row)), size, next }
  },
})
