import { sql } from 'kysely'
import { Type } from 'typebox'
import { writeRoute } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { requireSiteAdmin } from '../auth-errors.ts'
import { LINK_TTL_MS, renewLink } from '../mails/mailed-link.ts'
import { isStillAllowed } from './invitation.ts'
import { invitationParam } from './revoke-invitation.ts'

export const createInvitationLink = writeRoute({
  method: 'POST',
  path: '/invitations/:token/link',
  operationId: 'createInvitationLink',
  summary: 'Give an invitation a new link, and show it once.',
  description:
    'Shows a link that can be passed on without a mail; only the newest link of an invitation works. Site administrators, because no mail verifies the address of the new account then. An invitation that was used, revoked or has expired is 404, like an unknown id.',
  access: 'signed_in',
  sensitive: true,
  action: 'invitation.link',
  params: { token: invitationParam },
  answer: Type.Object(
    { link: Type.String({ description: 'It is shown only here, and valid for 14 days.' }) },
    { title: 'InvitationLink' },
  ),
  secret: true,
  dryRun: { omits: ['link'] },
  async handle({ context, viewer, params: { token: id } }, work) {
    requireSiteAdmin(viewer)
    const isOpen = sql<boolean>`(mailed_link.expires_on > ${context.clock.now()} and ${isStillAllowed(context)})`
    const link = await renewLink(work.tx, context, 'invitation', LINK_TTL_MS.invitation, id, isOpen)
    if (link === undefined) throw new ApiError('not_found')
    await work.change({ object: `invitations/${id}`, op: 'update' })
    return { body: { link } }
  },
})
