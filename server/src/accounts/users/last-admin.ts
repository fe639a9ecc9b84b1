import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { isActive } from './visibility.ts'

/**
 * Refuses to remove the last site administrator who can sign in. The rows stay locked, so that two administrators who
 * remove each other concurrently cannot both succeed.
 */
export async function requireAnotherAdmin(tx: Tx, account: AccountId): Promise<void> {
  const { rows } = await sql<{ id: AccountId }>`
    select account.id from account where account.is_site_admin and ${isActive} order by account.id for update`.execute(
    tx,
  )
  if (rows.some(({ id }) => id === account) && rows.length === 1)
    throw new ApiError('rule_violated', { cause: 'last_admin' })
}
