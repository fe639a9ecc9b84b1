import { type RawBuilder, sql } from 'kysely'
import { recordAudit } from '../../platform/database/audit.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { settingsVersion } from '../../platform/operation/settings.ts'
import type { Credentials } from '../../platform/http/sign-in.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { parseAccessKey } from '../access-keys/access-key.ts'
import { accountError, type ViewerRow, toViewer } from '../account.ts'
import { fold } from '../login.ts'
import { findOpenDirectories, isDirectoryPassword, signInNewPerson } from '../directories/check-directory-password.ts'
import { isPassword } from '../passwords/password.ts'
import { requirePasswordsAllowed } from './passwords-allowed.ts'
import { findVerifiedKey } from './sign-in-by-access-key.ts'
import { auditSignIn, type SignInAttempt } from './audit-sign-in.ts'
import { countAttempt } from './throttle.ts'
import { viewerColumns } from './viewer-columns.ts'

export interface PasswordRow extends ViewerRow {
  email: string | null
  password_hash: string | null
  /** The directory that checks the password, and the entry there; null: the password is kept here. */
  directory: string | null
  entry_id: string | null
  /** Changes with everything that a verified password depends on. */
  password_stamp: string
  settings_version: number
}

export const MAX_PASSWORD_LENGTH = 1024

/** `Authorization: Basic`. Gives one response for every fault of password or account. */
export async function signInByPassword(context: Context, credentials: Credentials, encoded: string): Promise<Viewer> {
  const [login, password] = decode(encoded)
  await requirePasswordsAllowed(context, 'elsewhere')
  const attempt = { login, address: credentials.address, request_id: credentials.request_id }
  const row = await verifyPassword(context, attempt, password)
  await requireUsableAccount(context, attempt, row, hideAccountState)
  return toViewer(row, { kind: 'basic', id: null })
}

/** Refuses an account that may not sign in, after its password was verified; `toError` selects the reported error. */
export async function requireUsableAccount(
  context: Context,
  attempt: SignInAttempt,
  row: PasswordRow,
  toError: (refusal: ApiError) => ApiError,
): Promise<void> {
  const refusal = accountError(row, context.clock.now())
  if (!refusal) return
  await auditSignIn(context, attempt, refusal.reason)
  throw toError(refusal)
}

/** An expired password is reported, because the caller can change it; every other state looks like a wrong password. */
export function hideAccountState(refusal: ApiError): ApiError {
  return refusal.reason === 'password_expired' ? refusal : new ApiError('credentials_invalid')
}

/**
 * The account with this password. Counts, throttles and audits all ways to send a password alike. Login and address of
 * one account share its counter.
 */
export async function verifyPassword(
  context: Context,
  attempt: SignInAttempt,
  password: string,
  find: typeof findByLogin = findByLogin,
): Promise<PasswordRow> {
  const row = await find(context, attempt.login)
  const counted = await countAttempt(context, { ...attempt, login: row?.login ?? attempt.login }, row?.account_id)
  const verified = await counted.judge(() => checkPassword(context, attempt, row, password))
  if (verified) return verified
  await auditForeignKey(context, attempt, password)
  await auditSignIn(context, attempt, 'credentials_invalid')
  throw new ApiError('credentials_invalid')
}

/** The account, if the password is right: here, or at the directory that the account belongs to. */
async function checkPassword(
  context: Context,
  attempt: SignInAttempt,
  row: PasswordRow | undefined,
  password: string,
): Promise<PasswordRow | undefined> {
  if (row === undefined) {
    const directories = await findOpenDirectories(context)
    if (directories.length === 0) await isPassword(password, undefined)
    const id = await signInNewPerson(context, directories, attempt, password)
    const [made] = id === undefined ? [] : await readPasswords(context, sql`account.id = ${id}`)
    if (made) context.verifiedPasswords.remember(made, password, context.clock.now())
    return made
  }
  const { directory, entry_id, password_hash } = row
  if (directory === null || entry_id === null) return (await isPassword(password, password_hash)) ? row : undefined
  if (context.verifiedPasswords.isVerified(row, password, context.clock.now())) return row
  if (!(await isDirectoryPassword(context, { directory, entry_id }, password))) return undefined
  context.verifiedPasswords.remember(row, password, context.clock.now())
  return row
}

/** The login here, or that at a directory, if no other account has it here. */
export async function findByLogin(context: Context, given: string): Promise<PasswordRow | undefined> {
  const login = fold(given)
  const rows = await readPasswords(
    context,
    sql`account.id = any(array(select id from account where login = ${login}
      union select account_id from directory_account where login = ${login}))`,
  )
  return selectRow(rows, login)
}

/** A login takes precedence over an address; an address of several accounts signs no one in. */
export async function findByLoginOrEmail(context: Context, name: string): Promise<PasswordRow | undefined> {
  const login = fold(name)
  const rows = await readPasswords(
    context,
    sql`account.id = any(array(select id from account where login = ${login} or folded(email) = folded(${name})
      union select account_id from directory_account where login = ${login}))`,
  )
  return selectRow(rows, login)
}

function selectRow(rows: readonly PasswordRow[], login: string): PasswordRow | undefined {
  const [first, ...others] = rows
  return rows.find((row) => row.login === login) ?? (others.length === 0 ? first : undefined)
}

// `xmin` changes with every write to a row. A stored hash is all that a password here depends on.
const passwordStamp = sql<string>`case when link.directory is null then concat('hash ', account.password_hash)
  else concat_ws('.', pg_postmaster_start_time(), account.xmin, link.xmin,
    (select directory.xmin from directory where directory.name = link.directory)) end`

async function readPasswords(context: Context, condition: RawBuilder<unknown>): Promise<PasswordRow[]> {
  const { rows } = await sql<PasswordRow>`
    select ${viewerColumns}, account.email, account.password_hash, link.directory, link.entry_id,
      ${passwordStamp} as password_stamp, ${settingsVersion} as settings_version
    from account left join directory_account link on link.account_id = account.id
    where ${condition}`.execute(context.db)
  const [row] = rows
  if (row) await context.settings.reloadIfChanged(row.settings_version)
  return rows
}

/** SQL condition on `account`: its password is still checked where it was. */
export function isOfDirectory({ directory }: PasswordRow): RawBuilder<boolean> {
  return sql<boolean>`(select link.directory from directory_account link where link.account_id = account.id)
    is not distinct from ${directory}`
}

/** Logs the use of one account's key with the login of another. */
async function auditForeignKey(context: Context, attempt: SignInAttempt, password: string): Promise<void> {
  const given = parseAccessKey(password)
  const key = given && (await findVerifiedKey(context, given))
  if (!given || !key || key.login === fold(attempt.login)) return
  const viewer = toViewer(key, { kind: 'access_key', id: String(given.id) })
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
  if (colon < 1 || text.length - colon - 1 > MAX_PASSWORD_LENGTH || text.includes('\0'))
    throw new ApiError('credentials_malformed')
  return [text.slice(0, colon), text.slice(colon + 1)]
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ApiError('credentials_malformed')
  }
}
