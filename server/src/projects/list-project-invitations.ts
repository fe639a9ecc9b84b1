import { Type } from 'typebox'
import { listOpenInvitations, PendingInvitation } from '../accounts/invitations/invitation.ts'
import { idParam, readRoute } from '../platform/http/route.ts'
import { findProject, requireProjectAdmin } from './find-project.ts'
import type { ProjectId } from './project.ts'

export const listProjectInvitations = readRoute({
  method: 'GET',
  path: '/projects/:id/invitations',
  operationId: 'listProjectInvitations',
  summary: 'List the invitations to a project that can still be accepted.',
  description: 'Lists invitations to the project, without their links. Project administrators. Other members get 403.',
  access: 'signed_in',
  params: { id: idParam<ProjectId>('The project.') },
  answer: Type.Array(PendingInvitation),
  pages: { default: 50, min: 0, max: 100 },
  async handle({ context, viewer, params: { id }, page }) {
    requireProjectAdmin(viewer, await findProject(context.db, viewer, id))
    return listOpenInvitations(context, { project_id: id }, page)
  },
})
