import { sql } from 'kysely'
import { Type } from 'typebox'
import { writeRoute } from '../../platform/http/route.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { requireHashable } from '../passwords/password-rules.ts'
import { readDeviceCookie } from '../sign-in/known-origins.ts'
import { requirePasswordsAllowed } from '../sign-in/passwords-allowed.ts'
import { CONFIRMATION_TTL_MS } from '../sign-in/require-confirmation.ts'
import { isOfDirectory, type PasswordRow, verifyPassword } from '../sign-in/sign-in-by-password.ts'

export const confirmSession = writeRoute({
  method: 'POST',
  path: '/session/confirmation',
  operationId: 'confirmSession',
  summary: 'Confirm the password of the session. Sensitive changes need this within the last 15 minutes.',
  description:
    'Allows sensitive changes in this session for 15 minutes. The browser with the cookie. A wrong password is 403 and is delayed.',
  access: 'signed_in',
  action: 'session.confirm',
  body: Type.Object({ password: Type.String() }, { title: 'PasswordConfirmation' }),
  answer: Type.Object(
    { confirmed_on: Type.String(), confirmed_until: Type.String() },
    { title: 'SessionConfirmation' },
  ),
  async prepare({ context, viewer, headers, body: { password }, origin: { address, request_id } }) {
    if (viewer.session_id === undefined || viewer.login === undefined) throw new ApiError('not_found')
    requireHashable(password)
    await requirePasswordsAllowed(context, 'browser')
    const device = readDeviceCookie(headers, context.config)
    const attempt = { login: viewer.login, address: address ?? '', request_id, device }
    return verifyPassword(context, attempt, password).catch((error: unknown) => {
      throw error instanceof ApiError && error.reason === 'credentials_invalid' ? wrongPassword() : error
    })
  },
  async handle({ context, viewer: { account_id, session_id } }, work, row: PasswordRow) {
    const now = context.clock.now()
    // The password may have changed, and the session ended, since the verification.
    const { rows } = await sql`
      update session set confirmed_on = ${now} from account
      where session.id = ${session_id} and account.id = session.account_id
        and account.password_hash is not distinct from ${row.password_hash} and ${isOfDirectory(row)}
      returning session.id`.execute(work.tx)
    if (rows.length === 0) throw wrongPassword()
    await work.change({ object: `users/${account_id}`, op: 'update' })
    const confirmed_until = apiDate(new Date(now.getTime() + CONFIRMATION_TTL_MS))
    return { body: { confirmed_on: apiDate(now), confirmed_until } }
  },
})

function wrongPassword(): ApiError {
  return new ApiError('permission_denied', { path: 'password', cause: 'password_wrong' })
}
