import { type Static, Type } from 'typebox'
import type { Origin } from '../../platform/database/audit.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { accountError, toViewer } from '../account.ts'
import { directoryPasswordError, isOfAnyDirectory } from '../directories/directory-password.ts'
import { requireHashable } from './password-rules.ts'
import { requirePasswordsAllowed } from '../sign-in/passwords-allowed.ts'
import { readDeviceCookie } from '../sign-in/known-origins.ts'
import { findByLoginOrEmail, type PasswordRow, verifyPassword } from '../sign-in/sign-in-by-password.ts'
import { auditSignIn } from '../sign-in/audit-sign-in.ts'
import { preparePassword, setPassword } from './set-password.ts'

const PasswordChange = Type.Object(
  {
    current_password: Type.String(),
    new_password: Type.String(),
    username: Type.Optional(
      Type.String({ maxLength: 255, description: 'Instead of credentials, where the password has expired.' }),
    ),
  },
  { title: 'PasswordChange' },
)
type PasswordChange = Static<typeof PasswordChange>

export const changePassword = writeRoute({
  method: 'PUT',
  path: '/users/self/password',
  operationId: 'changePassword',
  summary: 'Change your password.',
  description:
    'Replaces the password, and ends other sessions, tokens and mailed links. Every signed-in account, for itself. The current password has to be right; the new one has to follow the rules of the platform.',
  access: 'everyone',
  staysOpen: true,
  action: 'password.change',
  sensitive: true,
  body: PasswordChange,
  async prepare({ context, viewer, body, origin, headers }) {
    requireHashable(body.current_password, 'current_password')
    const row = await verifyCurrent(context, viewer, body, {
      ...origin,
      device: readDeviceCookie(headers, context.config),
    })
    if (row.directory !== null) throw directoryPasswordError()
    const { login, email, password_hash: current_hash } = row
    const hash = await preparePassword(context, body.new_password, { login, email, current_hash }, 'new_password')
    return { row, hash }
  },
  async handle({ context, viewer, headers }, work, { row, hash }: { row: PasswordRow; hash: string }) {
    const { account_id: id, login, password_hash: from } = row
    const isSet = await setPassword(
      work,
      { id, login },
      {
        from,
        to: hash,
        asking: { session: viewer.session_id, device: readDeviceCookie(headers, context.config) },
      },
    )
    if (!isSet) throw wrong(viewer)
    await work.change({
      object: `users/${id}`,
      op: 'update',
      ...(viewer.account_id === undefined && { actor: toViewer(row, { kind: 'basic', id: null }) }),
    })
    return {}
  },
})

/** Requires the current password, so that an unattended browser is not enough to change it. */
async function verifyCurrent(
  context: Context,
  viewer: Viewer,
  { current_password, username }: PasswordChange,
  { address, request_id, device }: Origin & { device: string | undefined },
): Promise<PasswordRow> {
  const isSignedIn = viewer.account_id !== undefined
  if (isSignedIn && username !== undefined) throw new ApiError('parameter_conflict', { path: 'username' })
  const login = isSignedIn ? viewer.login : username
  if (login === undefined) throw new ApiError('authentication_required')
  if (isSignedIn) await requireToHaveOne(context, viewer)
  else await requirePasswordsAllowed(context, 'browser')

  const attempt = { login, address: address ?? '', request_id, device }
  const find = isSignedIn ? undefined : findByLoginOrEmail
  const row = await verifyPassword(context, attempt, current_password, find).catch((error: unknown) => {
    throw error instanceof ApiError && error.reason === 'credentials_invalid' ? wrong(viewer) : error
  })
  const refusal = accountError(row, context.clock.now())
  if (!refusal || refusal.reason === 'password_expired') return row
  await auditSignIn(context, attempt, refusal.reason)
  throw wrong(viewer)
}

/** Accounts of an external identity provider have no password here. */
async function requireToHaveOne({ db }: Context, { account_id }: Viewer): Promise<void> {
  if (account_id === undefined) return
  if (await isOfAnyDirectory(db, account_id)) throw directoryPasswordError()
  const found = await db.selectFrom('account').select('password_hash').where('id', '=', account_id).executeTakeFirst()
  if (found?.password_hash === null) throw new ApiError('permission_denied', { cause: 'no_password' })
}

function wrong({ account_id }: Viewer): ApiError {
  return account_id === undefined
    ? new ApiError('credentials_invalid')
    : new ApiError('permission_denied', { path: 'current_password', cause: 'password_wrong' })
}
