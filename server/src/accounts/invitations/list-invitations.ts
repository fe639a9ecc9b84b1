import { Type } from 'typebox'
import { readRoute } from '../../platform/http/route.ts'
import { requireAccount } from '../auth-errors.ts'
import { listOpenInvitations, PendingInvitation } from './invitation.ts'

export const listInvitations = readRoute({
  method: 'GET',
  path: '/invitations',
  operationId: 'listInvitations',
  summary: 'List the invitations that you have sent and that can still be accepted; site administrators see all.',
  description:
    'Shows addresses, projects and ends of invitations, without their links. Signed-in accounts see those that they sent; site administrators all. Accepted, revoked and expired ones are not listed.',
  access: 'signed_in',
  answer: Type.Array(PendingInvitation),
  pages: { default: 50, min: 0, max: 100 },
  async handle({ context, viewer, page }) {
    const invited_by = requireAccount(viewer)
    return listOpenInvitations(context, viewer.is_site_admin ? {} : { invited_by }, page)
  },
})
