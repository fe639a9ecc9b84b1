import type { Context } from '../../platform/operation/context.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { endSessionsAndTokens } from '../sign-in/end-sessions.ts'
import { forgetOrigins } from '../sign-in/known-origins.ts'
import { endLinks } from '../mails/mailed-link.ts'
import { hashPassword } from './password.ts'
import { type PasswordOwner, requireGoodPassword } from './password-rules.ts'

/** The session and the device of the caller; both stay valid. */
interface RequestingClient {
  readonly session: string | undefined
  readonly device: string | undefined
}

/** Checks and hashes a new password. Slow, so it runs before the transaction. */
export async function preparePassword(
  { settings }: Context,
  password: string,
  owner: PasswordOwner,
  path: string,
): Promise<string> {
  await requireGoodPassword(password, owner, settings.current, path)
  return hashPassword(password)
}

/**
 * Sets the password by compare-and-swap on the old hash. Ends all tokens, mailed links, and sessions except the
 * caller's; the mail lists the keys, which remain.
 */
export async function setPassword(
  { tx, ...work }: WriteContext,
  account: { id: AccountId; login: string },
  { from, to, asking }: { from: string | null; to: string; asking?: RequestingClient },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set((row) => ({ password_hash: to, password_expires_on: null, rights_epoch: row('rights_epoch', '+', 1) }))
    .where('id', '=', account.id)
    .where('password_hash', 'is not distinct from', from)
    .where('status', 'in', ['A', 'R'])
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await endSessionsAndTokens(tx, account.id, asking?.session)
  await forgetOrigins(tx, account.id, asking?.device)
  await endLinks(tx, account.id)
  await work.enqueue({
    type: 'mail',
    payload: { template: 'password_changed', account_id: account.id },
    object: `users/${account.id}`,
  })
  work.notify({ user: { id: account.id, username: account.login }, channel: 'mail', why: 'password_changed' })
  return true
}
