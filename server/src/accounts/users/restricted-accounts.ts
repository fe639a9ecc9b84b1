import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'

/** Some of the accounts that are restricted; none: there are none. */
export async function findRestrictedAccounts(tx: Tx, most: number): Promise<{ id: AccountId; login: string }[]> {
  const { rows } = await sql<{ id: AccountId; login: string }>`
    select account.id, account.login from account where account.status = 'R' order by account.id limit ${most}`.execute(
    tx,
  )
  return rows
}
