import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { fold } from '../login.ts'

const CHARACTER = '[^\\s\\u0000-\\u001f\\u007f-\\u009f@<>()\\[\\]",:;\\\\]'

/** A plain address. Quotes, comments and line breaks are refused, because they can trick mail servers. */
export const Email = Type.String({ maxLength: 254, pattern: `^${CHARACTER}{1,64}@${CHARACTER}+$`, trim: true })

/** Refuses an address of another account. A lock keeps the result valid until the transaction ends. */
export async function requireFreeEmail(tx: Tx, email: string, account?: AccountId): Promise<void> {
  if (!(await isFreeEmail(tx, email, account))) throw new ApiError('name_taken', { path: 'email', rule: 'unique' })
}

export async function isFreeEmail(tx: Tx, email: string, account?: AccountId): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`email ${fold(email)}`}, 0))`.execute(tx)
  const { rows } = await sql<{ is_taken: boolean }>`
    select exists (select from account where folded(account.email) = folded(${email})
      and account.id is distinct from ${account ?? null}) as is_taken`.execute(tx)
  return rows[0]?.is_taken === false
}
