import { sql } from 'kysely'
import type { Context } from '../../platform/operation/context.ts'
import type { AccountId } from '../../platform/http/viewer.ts'

/**
 * All erased accounts. Kept outside of the database, the list allows repeating erasures after restoring an older
 * backup.
 */
export async function listErasedUsers({ db }: Pick<Context, 'db'>): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`
    select account.id from account where account.erased_on is not null order by account.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The accounts among these that are not erased. */
export async function findUnerasedUsers(
  { db }: Pick<Context, 'db'>,
  ids: readonly number[],
): Promise<{ id: AccountId; login: string }[]> {
  const { rows } = await sql<{ id: AccountId; login: string }>`
    select account.id, account.login from account
    where account.id = any(${ids}::bigint[]) and account.erased_on is null order by account.id`.execute(db)
  return rows
}
