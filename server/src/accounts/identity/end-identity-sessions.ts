import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'

/** Ends the sessions that began at a provider. */
export async function endSessionsOfProvider(tx: Tx, provider: string): Promise<void> {
  await endSessionsWhere(tx, sql`identity_session.provider = ${provider}`)
}

/** Returns the ids of the ended sessions. `condition` is about `identity_session`. */
export async function endSessionsWhere(tx: Tx, condition: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from session using identity_session
    where identity_session.session_id = session.id and ${condition} returning session.id`.execute(tx)
  return rows.map(({ id }) => id)
}
