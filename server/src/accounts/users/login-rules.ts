import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { fold } from '../login.ts'

// Folding leaves plain letters only; lookalikes of other scripts do not match.
const FORM = /^[a-z][a-z0-9_.-]{1,29}$/

// Words with a meaning in URLs, queries, access files and mails, or that could impersonate the platform.
const RESERVED = new Set(
  `anonymous authenticated everyone none nobody null undefined me self myself unknown deleted erased root system waypost
  abuse hostmaster mailer-daemon no-reply noreply postmaster webmaster`.split(/\s+/),
)
const ERASED = /^erased-/

/**
 * Returns the normalized login if it is valid and was never used by another account. A lock keeps the result valid
 * until the transaction ends. An account may return to its own former login.
 */
export async function requireFreeLogin(tx: Tx, given: string, account?: AccountId): Promise<string> {
  const login = fold(given.trim())
  const path = 'username'
  if (!FORM.test(login))
    throw new ApiError('name_invalid', { path, rule: 'pattern', allowed: { pattern: FORM.source } })
  if (!isAllowedLogin(login)) throw new ApiError('name_invalid', { path })
  await lockLogin(tx, login)
  const { rows } = await sql<{ is_taken: boolean }>`
    select exists (select from account where account.login = ${login})
      or exists (select from login_tombstone where login_tombstone.digest = ${tombstoneDigest(login)}
        and (login_tombstone.account_id = ${account ?? null}) is not true) as is_taken`.execute(tx)
  if (rows[0]?.is_taken) throw new ApiError('name_taken', { path, rule: 'unique' })
  return login
}

/** Whether a normalized login has the right form and is not reserved. */
export function isAllowedLogin(login: string): boolean {
  return FORM.test(login) && !RESERVED.has(login) && !ERASED.test(login)
}

/** Those of the logins that an account has or had. The caller holds their locks. */
export async function findTakenLogins(tx: Tx, logins: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ login: string }>`
    select given.login from unnest(${logins}::text[]) as given (login)
    where exists (select from account where account.login = given.login)
      or exists (select from login_tombstone where login_tombstone.digest = ${tombstoneDigest(sql`given.login`)})`.execute(
    tx,
  )
  return new Set(rows.map(({ login }) => login))
}

/** Reserves a former login for ever. `account` may take it back. */
export async function tombstoneLogin(tx: Tx, login: string, account: AccountId | null): Promise<void> {
  await lockLogin(tx, login)
  await tx
    .insertInto('login_tombstone')
    .values({ digest: tombstoneDigest(login), account_id: account })
    .onConflict((conflict) => conflict.column('digest').doUpdateSet({ account_id: account }))
    .execute()
}

/** Salted, so that hashes of known logins computed elsewhere do not match. */
function tombstoneDigest(login: string | RawBuilder<unknown>): RawBuilder<Buffer> {
  return sql<Buffer>`sha256((select login_salt.salt from login_salt) || convert_to(${login}, 'UTF8'))`
}

async function lockLogin(tx: Tx, login: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`login ${login}`}, 0))`.execute(tx)
}
