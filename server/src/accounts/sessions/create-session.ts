import { sql } from 'kysely'
import { Type } from 'typebox'
import { ApiError } from '../../platform/messages/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { toViewer } from '../account.ts'
import { requireHashable } from '../passwords/password-rules.ts'
import { requirePasswordsAllowed } from '../sign-in/passwords-allowed.ts'
import { readDeviceCookie, rememberDevice } from '../sign-in/known-origins.ts'
import {
  findByLoginOrEmail,
  type PasswordRow,
  requireUsableAccount,
  hideAccountState,
  isOfDirectory,
  verifyPassword,
} from '../sign-in/sign-in-by-password.ts'
import { beginSession, representOwnSession, SessionWithUser } from './session.ts'

export const createSession = writeRoute({
  method: 'POST',
  path: '/session',
  operationId: 'createSession',
  summary: 'Sign in: the answer sets the cookie of the web interface.',
  description:
    'Signs a browser in; with `new_password` it also replaces the password. Everyone with a valid password, unless `password_sign_in` is `never`. Wrong passwords are 401 and are delayed; requests from other sites are 403.',
  access: 'no_credentials',
  signsIn: true,
  action: 'sign_in',
  body: Type.Object(
    { username: Type.String({ maxLength: 255, description: 'The login, or the address.' }), password: Type.String() },
    { title: 'SessionSignIn' },
  ),
  answer: SessionWithUser,
  status: 201,
  secret: true,
  dryRun: { omits: ['id', 'created_on', 'last_used_on', 'expires_on'] },
  async prepare({ context, headers, body: { username: login, password }, origin: { address, request_id } }) {
    requireHashable(password)
    await requirePasswordsAllowed(context, 'browser')
    const attempt = { login, address: address ?? '', request_id, device: readDeviceCookie(headers, context.config) }
    const row = await verifyPassword(context, attempt, password, findByLoginOrEmail)
    await requireUsableAccount(context, attempt, row, hideAccountState)
    return row
  },
  async handle({ context, headers }, { tx, ...work }, row: PasswordRow) {
    // The password may have changed, or the account been suspended, since the verification.
    const { rows } = await sql`
      select from account where account.id = ${row.account_id} and account.password_hash is not distinct from ${row.password_hash}
        and ${isOfDirectory(row)} and account.status in ('A', 'R') for no key update`.execute(tx)
    if (rows.length === 0) throw new ApiError('credentials_invalid')

    const { session, cookie } = await beginSession(tx, context, row.account_id, work.origin, headers)
    const device = await rememberDevice(tx, context, row.account_id, headers)
    const viewer = toViewer(row, { kind: 'session', id: session.id })
    await work.change({
      object: 'session',
      made: `users/${row.account_id}`,
      op: 'create',
      after: { session: session.id, agent: session.agent },
      actor: viewer,
    })
    return {
      body: await representOwnSession(context, tx, viewer, session),
      location: 'session',
      headers: { 'set-cookie': [cookie, device] },
    }
  },
})
