import { sql } from 'kysely'
import type { Db } from '../src/platform/database/db.ts'

/** How many times PostgreSQL ended one of several who waited for each other. */
export async function deadlocks(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(db)
  return rows[0]?.deadlocks
}
