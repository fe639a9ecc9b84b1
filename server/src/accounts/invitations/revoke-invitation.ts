import { Type } from 'typebox'
import { parseId } from '../../platform/database/ids.ts'
import { type Param, writeRoute } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { deleteInvitation, type InvitationId } from './invitation.ts'

/** Same path parameter as the secret of the other routes, but an integer: a secret cannot manage the invitation. */
export const invitationParam: Param<InvitationId> = {
  schema: Type.Integer({ minimum: 1, description: 'The id of the invitation, not its secret.' }),
  parse: (text, name) => parseId<InvitationId>(text, name),
}

export const revokeInvitation = writeRoute({
  method: 'DELETE',
  path: '/invitations/:token',
  operationId: 'revokeInvitation',
  summary: 'Revoke an invitation that you sent, or one to a project that you administer.',
  description:
    'Makes the link of an invitation useless, by the id of the invitation. The person who sent it, and administrators of its project or of the site. The secret of a link revokes nothing: it is 404, like an unknown id.',
  access: 'signed_in',
  action: 'invitation.revoke',
  params: { token: invitationParam },
  async handle({ context, viewer, params: { token: id } }, work) {
    const revoked = await deleteInvitation(context, work.tx, viewer, id)
    if (!revoked) throw new ApiError('not_found')
    const { project_id } = revoked
    await work.change({ object: `invitations/${id}`, op: 'delete', ...(project_id !== null && { project_id }) })
    return {}
  },
})
