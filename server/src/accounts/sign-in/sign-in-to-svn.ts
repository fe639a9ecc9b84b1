import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { parseAccessKey } from '../access-keys/access-key.ts'
import { refusalOf, viewerOf } from '../account.ts'
import { fold } from '../login.ts'
import { enterByKey, findRightKey, type KeyRow } from './sign-in-by-access-key.ts'
import { findByLogin, LONGEST, type PasswordRow, verifyPassword } from './sign-in-by-password.ts'
import { type Attempt, auditSignIn } from './throttle.ts'
import { ShortMemory } from '../../platform/operation/short-memory.ts'

const SCOPE = 'write:svn'

/** Login and secret of an svn client: one of the person's access keys that is for Subversion, or the password. */
export async function signInToSvn(context: Context, attempt: Attempt, secret: string): Promise<Viewer> {
  if (attempt.login === '' || secret.length > LONGEST) throw new ApiError('credentials_malformed')
  const given = parseAccessKey(secret)
  const key = given && (await findRightKey(context, given))
  if (key && key.login === fold(attempt.login)) return byKey(context, attempt, key)
  const row = await byPassword(context, attempt, secret)
  const refusal = refusalOf(row, context.clock.now())
  if (refusal) {
    await auditSignIn(context, attempt, refusal.reason)
    throw new ApiError('credentials_invalid')
  }
  return viewerOf(row, { kind: 'svn', id: null })
}

async function byKey(context: Context, { address }: Attempt, key: KeyRow): Promise<Viewer> {
  await enterByKey(context, key, address, () => {
    if (!key.scopes.includes(SCOPE)) throw new ApiError('credentials_scope', { allowed: [SCOPE] })
  })
  return viewerOf(key, { kind: 'svn', id: String(key.key_id) })
}

/** Which password each account has shown last, as good as unreadable, and the hash that it was right for. */
const SHOWN = new ShortMemory<number, { hash: string | null; digest: Buffer }>(1000)
const PEPPER = randomBytes(32)

/**
 * An svn client shows the password with each of its many requests. A hash made to be slow is compared once; then, as long
 * as the account has the same, it is enough that the password is the same. The account itself is read every time.
 */
async function byPassword(context: Context, attempt: Attempt, password: string): Promise<PasswordRow> {
  const row = await findByLogin(context, attempt.login)
  const digest = createHmac('sha256', PEPPER).update(password).digest()
  const shown = row && SHOWN.get(row.account_id)
  if (row && shown && shown.hash === row.password_hash && timingSafeEqual(shown.digest, digest)) return row
  const verified = await verifyPassword(context, attempt, password)
  SHOWN.set(verified.account_id, { hash: verified.password_hash, digest })
  return verified
}
