import { Type } from 'typebox'
import { readRoute } from '../../platform/http/route.ts'
import { findLink, secretParam } from '../mails/mailed-link.ts'
import { isStillAllowed } from './invitation.ts'
import { InvitedProject } from './invited-projects.ts'

export const getInvitation = readRoute({
  method: 'GET',
  path: '/invitations/:token',
  operationId: 'getInvitation',
  summary: 'Show what a mailed invitation is for.',
  description:
    'Tells a page who invites to what. Everyone with the link. Used, revoked, expired and unknown links are 404.',
  access: 'everyone',
  staysOpen: true,
  params: { token: secretParam },
  answer: Type.Object(
    { email: Type.String(), project: Type.Union([InvitedProject, Type.Null()]) },
    { title: 'Invitation' },
  ),
  async handle({ context, params: { token } }) {
    const { email, project_id } = await findLink(
      context.db,
      'invitation',
      token,
      context.clock.now(),
      isStillAllowed(context),
    )
    const project = project_id === null ? null : await context.invitedProjects.describe(context.db, project_id)
    return { body: { email: email ?? '', project } }
  },
})
