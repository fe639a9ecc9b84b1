import { sql } from 'kysely'
import { Type } from 'typebox'
import { ApiError } from '../../platform/words/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { refusalOf, viewerOf } from '../account.ts'
import { requireHashable } from '../passwords/password-rules.ts'
import { findByLoginOrEmail, type PasswordRow, verifyPassword } from '../sign-in/sign-in-by-password.ts'
import { auditSignIn } from '../sign-in/throttle.ts'
import { beginSession, representOwnSession, SessionWithUser } from './session.ts'

export const createSession = writeRoute({
  method: 'POST',
  path: '/session',
  operationId: 'createSession',
  summary: 'Sign in: the answer sets the cookie of the web interface.',
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
  givenByWrite: ['id', 'created_on', 'last_used_on', 'expires_on'],
  async prepare({ context, body: { username: login, password }, origin: { address, request_id } }) {
    requireHashable(password)
    const attempt = { login, address: address ?? '', request_id }
    const row = await verifyPassword(context, attempt, password, findByLoginOrEmail)
    const refusal = refusalOf(row, context.clock.now())
    if (!refusal) return row
    await auditSignIn(context, attempt, refusal.reason)
    throw refusal.reason === 'password_expired' ? refusal : new ApiError('credentials_invalid')
  },
  async handle({ context, headers }, { tx, ...work }, row: PasswordRow) {
    // Between look and write, the password may have been changed or the account suspended.
    const { rows } = await sql`
      select from account where account.id = ${row.account_id} and account.password_hash = ${row.password_hash}
        and account.status in ('A', 'R') for no key update`.execute(tx)
    if (rows.length === 0) throw new ApiError('credentials_invalid')

    const { session, cookie } = await beginSession(tx, context, row.account_id, work.origin, headers)
    const viewer = viewerOf(row, { kind: 'session', id: session.id })
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
      headers: { 'set-cookie': cookie },
    }
  },
})
