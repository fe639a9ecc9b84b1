import { sql } from 'kysely'
import type { Tx } from '../platform/database/db.ts'
import { longStatementHint } from '../platform/database/commit-guard.ts'

/**
 * Locks the digest until the transaction ends, against concurrent storing and deleting of this content. Raises the
 * statement timeouts, because a remote store can be slow.
 */
export async function lockContent(tx: Tx, digest: string): Promise<void> {
  await sql`
    select set_config('statement_timeout', '60s', true), set_config('lock_timeout', '60s', true),
      set_config('idle_in_transaction_session_timeout', '5min', true)`.execute(tx)
  await sql`${longStatementHint} select pg_advisory_xact_lock(hashtextextended(${`file content ${digest}`}, 0))`.execute(
    tx,
  )
}
