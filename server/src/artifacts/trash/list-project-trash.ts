import { Type } from 'typebox'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { findProject, requireProjectAdmin } from '../../projects/find-project.ts'
import type { ProjectId } from '../../projects/project.ts'
import { listDeleted, TrashEntry } from './represent-trash.ts'

export const listProjectTrash = readRoute({
  method: 'GET',
  path: '/projects/:id/trash',
  operationId: 'listProjectTrash',
  summary: 'List the trash of a project, latest first.',
  description:
    'Lists deleted trackers, repositories and artifacts of a project. Project administrators. Other members get 403.',
  access: 'signed_in',
  params: { id: idParam<ProjectId>('The project.') },
  pages: { default: 10, min: 0, max: 50 },
  answer: Type.Array(TrashEntry),
  async handle({ context, viewer, params, page }) {
    const project = await findProject(context.db, viewer, params.id)
    requireProjectAdmin(viewer, project)
    return listDeleted(context, viewer, { project: project.id }, page)
  },
})
