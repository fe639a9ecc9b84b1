import { sql } from 'kysely'
import type { Db } from '../../src/platform/database/db.ts'

/** The number of deadlocks that PostgreSQL has resolved. */
export async function countDeadlocks(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(db)
  return rows[0]?.deadlocks
}
