import { Type } from 'typebox'
import { writeRoute } from '../../platform/http/route.ts'
import { toViewer } from '../account.ts'
import { insertAccount } from '../users/create-user.ts'
import { findLink, secretParam, useLink } from '../mails/mailed-link.ts'
import { preparePassword } from '../passwords/set-password.ts'
import { rememberDevice } from '../sign-in/known-origins.ts'
import { isStillAllowed } from './invitation.ts'
import { requirePasswordsAllowed } from '../sign-in/passwords-allowed.ts'
import { RealName } from '../users/schemas.ts'
import { beginSession, representOwnSession, SessionWithUser } from '../sessions/session.ts'
import { PERSONAL_MEMBERS } from '../users/user.ts'

export const acceptInvitation = writeRoute({
  method: 'PUT',
  path: '/invitations/:token',
  operationId: 'acceptInvitation',
  summary: 'Make your account by a mailed invitation, and sign in.',
  description:
    'Creates an account with the invited address, adds it to the project, and starts a session. Everyone with the link. A login that is taken and a weak password are 400; used and unknown links are 404.',
  access: 'everyone',
  staysOpen: true,
  signsIn: true,
  action: 'invitation.accept',
  params: { token: secretParam },
  body: Type.Object(
    { username: Type.String({ maxLength: 255, trim: true }), real_name: RealName, password: Type.String() },
    { title: 'InvitedAccount' },
  ),
  answer: SessionWithUser,
  status: 201,
  secret: true,
  dryRun: { omits: ['id', 'user', 'created_on', 'last_used_on', 'expires_on'] },
  async prepare({ context, params: { token }, body: { username: login, password } }) {
    await requirePasswordsAllowed(context, 'browser')
    const { email } = await findLink(context.db, 'invitation', token, context.clock.now(), isStillAllowed(context))
    return preparePassword(context, password, { login, email }, 'password')
  },
  async handle({ context, params: { token }, body: { username, real_name }, headers }, work, password_hash: string) {
    const now = context.clock.now()
    const { email, project_id } = await useLink(work.tx, 'invitation', token, now, isStillAllowed(context))
    // The link was mailed to this address, so it is verified.
    const account = { username, real_name, email: email ?? '', password_hash }
    const user = await insertAccount(work.tx, context, account)
    const { session, cookie } = await beginSession(work.tx, context, user.id, work.origin, headers)
    const device = await rememberDevice(work.tx, context, user.id, headers)
    const row = { ...user, account_id: user.id, is_site_admin: false, password_expires_on: null }
    const viewer = toViewer(row, { kind: 'session', id: session.id })
    await work.change({
      object: 'users',
      made: `users/${user.id}`,
      op: 'create',
      after: { username: user.login, real_name, email, status: user.status },
      personal: PERSONAL_MEMBERS,
      actor: viewer,
    })
    if (project_id !== null) await context.invitedProjects.addMember(work, project_id, user, now)
    return {
      body: await representOwnSession(context, work.tx, viewer, session),
      location: 'session',
      headers: { 'set-cookie': [cookie, device] },
    }
  },
})
