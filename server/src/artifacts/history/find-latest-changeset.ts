import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'

/** The id of the last version of an artifact. */
export async function findLatestChangeset(db: Db, artifact: number): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from changeset where artifact_id = ${artifact}`.execute(db)
  return rows[0]?.id ?? null
}
