import { type RawBuilder, sql } from 'kysely'
import { recordAudit } from '../../platform/database/audit.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { settingsVersion } from '../../platform/operation/settings.ts'
import type { Credentials } from '../../platform/http/sign-in.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { parseAccessKey } from '../access-keys/access-key.ts'
import { refusalOf, type ViewerRow, viewerOf } from '../account.ts'
import { fold } from '../login.ts'
import { isPassword } from '../passwords/password.ts'
import { findRightKey } from './sign-in-by-access-key.ts'
import { type Attempt, auditSignIn, countAttempt } from './throttle.ts'
import { viewerColumns } from './viewer-columns.ts'

export interface PasswordRow extends ViewerRow {
  email: string | null
  password_hash: string | null
  settings_version: number
}

export const LONGEST = 1024

/** `Authorization: Basic`. Whatever is wrong, with the password or with the account: one answer. */
export async function signInByPassword(context: Context, credentials: Credentials, encoded: string): Promise<Viewer> {
  const [login, password] = decode(encoded)
  const attempt = { login, address: credentials.address, request_id: credentials.request_id }
  const row = await verifyPassword(context, attempt, password)
  const refusal = refusalOf(row, context.clock.now())
  if (!refusal) return viewerOf(row, { kind: 'basic', id: null })
  await auditSignIn(context, attempt, refusal.reason)
  throw refusal.reason === 'password_expired' ? refusal : new ApiError('credentials_invalid')
}

/**
 * The account whose password this is; counted, throttled and audited alike for every way to give one. Login and address
 * of one account share its counter.
 */
export async function verifyPassword(
  context: Context,
  attempt: Attempt,
  password: string,
  find: typeof findByLogin = findByLogin,
): Promise<PasswordRow> {
  const row = await find(context, attempt.login)
  const counted = await countAttempt(context, { ...attempt, login: row?.login ?? attempt.login })
  const isRight = await counted.judge(() => isPassword(password, row?.password_hash))
  if (isRight && row) return row
  await auditForeignKey(context, attempt, password)
  await auditSignIn(context, attempt, 'credentials_invalid')
  throw new ApiError('credentials_invalid')
}

export async function findByLogin(context: Context, login: string): Promise<PasswordRow | undefined> {
  const rows = await readPasswords(context, sql`account.login = ${fold(login)}`)
  return rows[0]
}

/** A login names its account before any address does; an address that several accounts have signs nobody in. */
export async function findByLoginOrEmail(context: Context, name: string): Promise<PasswordRow | undefined> {
  const login = fold(name)
  const rows = await readPasswords(context, sql`(account.login = ${login} or folded(account.email) = folded(${name}))`)
  const [first, ...others] = rows
  return rows.find((row) => row.login === login) ?? (others.length === 0 ? first : undefined)
}

async function readPasswords(context: Context, condition: RawBuilder<unknown>): Promise<PasswordRow[]> {
  const { rows } = await sql<PasswordRow>`
    select ${viewerColumns}, account.email, account.password_hash, ${settingsVersion} as settings_version
    from account where ${condition}`.execute(context.db)
  const [row] = rows
  if (row) await context.settings.seen(row.settings_version)
  return rows
}

/** A key of one person used with the login of another is worth a line in the log. */
async function auditForeignKey(context: Context, attempt: Attempt, password: string): Promise<void> {
  const given = parseAccessKey(password)
  const key = given && (await findRightKey(context, given))
  if (!given || !key || key.login === fold(attempt.login)) return
  const viewer = viewerOf(key, { kind: 'access_key', id: String(given.id) })
  const origin = { viewer, request_id: attempt.request_id, address: attempt.address }
  await recordAudit(context.db, origin, {
    action: 'key_with_foreign_login',
    outcome: 'refused',
    after: { login: attempt.login },
  })
}

function decode(encoded: string): [login: string, password: string] {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) throw new ApiError('credentials_malformed')
  const text = utf8(Buffer.from(encoded, 'base64'))
  const colon = text.indexOf(':')
  if (colon < 1 || text.length - colon - 1 > LONGEST || text.includes('\0')) throw new ApiError('credentials_malformed')
  return [text.slice(0, colon), text.slice(colon + 1)]
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ApiError('credentials_malformed')
  }
}
