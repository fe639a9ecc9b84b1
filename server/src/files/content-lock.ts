import { sql } from 'kysely'
import type { Tx } from '../platform/database/db.ts'
import { takesLong } from '../platform/database/honest-connection.ts'

/**
 * Until the transaction ends, nobody else puts this content into its place, or takes it away. In a store that is far
 * away it may take a while to put it there: the limits of ordinary statements do not fit.
 */
export async function lockContent(tx: Tx, digest: string): Promise<void> {
  await sql`
    select set_config('statement_timeout', '60s', true), set_config('lock_timeout', '60s', true),
      set_config('idle_in_transaction_session_timeout', '5min', true)`.execute(tx)
  await sql`${takesLong} select pg_advisory_xact_lock(hashtextextended(${`file content ${digest}`}, 0))`.execute(tx)
}
