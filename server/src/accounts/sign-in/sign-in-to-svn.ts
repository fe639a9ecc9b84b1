import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { parseAccessKey } from '../access-keys/access-key.ts'
import { toViewer } from '../account.ts'
import { scopeError } from '../auth-errors.ts'
import { fold } from '../login.ts'
import { enterByKey, findVerifiedKey, keyCredential, type KeyRow } from './sign-in-by-access-key.ts'
import { requirePasswordsAllowed } from './passwords-allowed.ts'
import {
  findByLogin,
  MAX_PASSWORD_LENGTH,
  type PasswordRow,
  requireUsableAccount,
  verifyPassword,
} from './sign-in-by-password.ts'
import type { SignInAttempt } from './audit-sign-in.ts'

/** Accepted scopes by kind of request. */
const SCOPES = { read: ['write:svn', 'read:svn'], write: ['write:svn'] } as const

export type SvnUse = keyof typeof SCOPES

/** The credentials of an svn client: an access key with a Subversion scope, or the password. */
export async function signInToSvn(
  context: Context,
  attempt: SignInAttempt,
  secret: string,
  use: SvnUse,
): Promise<Viewer> {
  if (attempt.login === '' || secret.length > MAX_PASSWORD_LENGTH) throw new ApiError('credentials_malformed')
  const given = parseAccessKey(secret)
  const key = given && (await findVerifiedKey(context, given))
  if (key && key.login === fold(attempt.login)) return signInByKey(context, attempt, key, use)
  await requirePasswordsAllowed(context, 'elsewhere')
  const row = await verifyCachedPassword(context, attempt, secret)
  await requireUsableAccount(context, attempt, row, () => new ApiError('credentials_invalid'))
  return toViewer(row, { kind: 'svn', id: null })
}

async function signInByKey(context: Context, { address }: SignInAttempt, key: KeyRow, use: SvnUse): Promise<Viewer> {
  const allowed = SCOPES[use]
  await enterByKey(context, key, address, () => {
    if (!allowed.some((scope) => key.scopes.includes(scope))) throw scopeError(`${use}:svn`, allowed)
  })
  return toViewer(key, keyCredential('svn', key))
}

/**
 * Svn clients send the password with each request. A password that was verified is compared by its digest while nothing
 * has changed; the account row is read every time.
 */
async function verifyCachedPassword(context: Context, attempt: SignInAttempt, password: string): Promise<PasswordRow> {
  const row = await findByLogin(context, attempt.login)
  if (row && context.verifiedPasswords.isVerified(row, password, context.clock.now())) return row
  const verified = await verifyPassword(context, attempt, password)
  // That of a directory was remembered when it was asked: its time does not begin again.
  if (verified.directory === null) context.verifiedPasswords.remember(verified, password, context.clock.now())
  return verified
}
