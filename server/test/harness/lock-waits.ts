import { sql } from 'kysely'
import { Client } from 'pg'
import { expect } from 'vitest'
import type { Db } from '../../src/platform/database/db.ts'

/** Resolves when a session of this database waits for a lock. */
export async function untilLockWaits(db: Client | Db): Promise<void> {
  const count = () => (db instanceof Client ? countByClient(db) : countWaiting(db))
  await expect.poll(count, { interval: 20 }).toBeGreaterThan(0)
}

// `pg_locks` is readable by every role; wait events of other roles' sessions are not.
async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql`
    select from pg_locks join pg_stat_activity using (pid)
    where not granted and pg_stat_activity.datname = current_database()`.execute(db)
  return rows.length
}

async function countByClient(client: Client): Promise<number> {
  const { rows } = await client.query(`
    select from pg_locks join pg_stat_activity using (pid)
    where not granted and pg_stat_activity.datname = current_database()`)
  return rows.length
}
