import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'

/** Up to `limit` restricted accounts. */
export async function findRestrictedAccounts(tx: Tx, limit: number): Promise<{ id: AccountId; login: string }[]> {
  const { rows } = await sql<{ id: AccountId; login: string }>`
    select account.id, account.login from account where account.status = 'R' order by account.id limit ${limit}`.execute(
    tx,
  )
  return rows
}
