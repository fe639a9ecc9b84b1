import type { Context } from '../../platform/operation/context.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Work } from '../../platform/http/work.ts'
import { endSessionsAndTokens } from '../sign-in/end-sessions.ts'
import { hashPassword } from './password.ts'
import { type PasswordOwner, requireGoodPassword } from './password-rules.ts'

/** Checks and hashes a new password: slow, so it comes before the transaction. */
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
 * Sets it, unless it has changed since it was looked at. All tokens and sessions end, but for the session that asks;
 * the mail that tells of it lists the keys, which stay.
 */
export async function setPassword(
  { tx, ...work }: Work,
  account: { id: AccountId; login: string },
  { from, to, asking }: { from: string | null; to: string; asking?: string | undefined },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set((row) => ({ password_hash: to, password_expires_on: null, rights_epoch: row('rights_epoch', '+', 1) }))
    .where('id', '=', account.id)
    .where('password_hash', 'is not distinct from', from)
    .where('status', 'in', ['A', 'R'])
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await endSessionsAndTokens(tx, account.id, asking)
  await work.enqueue({
    type: 'mail',
    payload: { template: 'password_changed', account_id: account.id },
    object: `users/${account.id}`,
  })
  work.notify({ user: { id: account.id, username: account.login }, channel: 'mail', why: 'password_changed' })
  return true
}
