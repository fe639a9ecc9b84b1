import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { fold } from '../login.ts'

// After folding only plain letters are left over: whatever merely looks like one does not fit.
const FORM = /^[a-z][a-z0-9_.-]{1,29}$/

// What means something else in addresses, queries, access files and mails, or would pass for the platform itself.
const RESERVED = new Set(
  `anonymous authenticated everyone none nobody null undefined me self myself unknown deleted erased root system waypost
  abuse hostmaster mailer-daemon no-reply noreply postmaster webmaster`.split(/\s+/),
)
const ERASED = /^erased-/

/**
 * The login in the form in which it is kept, if it may be given: it fits the rules, and nobody has it or ever had it.
 * The answer holds until the transaction ends. An account may go back to a login that was its own.
 */
export async function requireFreeLogin(tx: Tx, given: string, account?: AccountId): Promise<string> {
  const login = fold(given.trim())
  const path = 'username'
  if (!FORM.test(login))
    throw new ApiError('name_invalid', { path, rule: 'pattern', allowed: { pattern: FORM.source } })
  if (RESERVED.has(login) || ERASED.test(login)) throw new ApiError('name_invalid', { path })
  await lockLogin(tx, login)
  const { rows } = await sql<{ is_taken: boolean }>`
    select exists (select from account where account.login = ${login})
      or exists (select from login_tombstone where login_tombstone.digest = ${tombstoneOf(login)}
        and (login_tombstone.account_id = ${account ?? null}) is not true) as is_taken`.execute(tx)
  if (rows[0]?.is_taken) throw new ApiError('name_taken', { path, rule: 'unique' })
  return login
}

/** Keeps a login that is given up from ever naming somebody else. `account`: who may still have it back. */
export async function buryLogin(tx: Tx, login: string, account: AccountId | null): Promise<void> {
  await lockLogin(tx, login)
  await tx
    .insertInto('login_tombstone')
    .values({ digest: tombstoneOf(login), account_id: account })
    .onConflict((conflict) => conflict.column('digest').doUpdateSet({ account_id: account }))
    .execute()
}

/** Salted, so that a list of logins and their hashes from elsewhere tells nothing. */
function tombstoneOf(login: string): RawBuilder<Buffer> {
  return sql<Buffer>`sha256((select login_salt.salt from login_salt) || convert_to(${login}, 'UTF8'))`
}

async function lockLogin(tx: Tx, login: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`login ${login}`}, 0))`.execute(tx)
}
