import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import type { Db } from '../database/db.ts'

/** The first key of the workers' advisory locks; the second is a hash of the worker's name. */
const WORKER_LOCK_CLASS = 0x7761_7970
const RECONNECT_DELAY_MS = 1000

/**
 * A worker that dies leaves its jobs locked. While it lives, it holds a session lock that PostgreSQL releases on its
 * death.
 */
export interface LivenessLock {
  /** Resolves when the lock is held: no job is claimed before that. */
  acquired(): Promise<void>
  end(): Promise<void>
}

/** `url` must connect directly to the database: a pooler would keep the lock of a dead worker. */
export function holdLivenessLock(url: string, worker: string): LivenessLock {
  const over = new AbortController()
  let client: Client | undefined
  const hold = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const next = new Client({ connectionString: url, keepAlive: true, application_name: 'waypost worker' })
      client = next
      try {
        next.on('error', () => {}) // The connection then ends, which is handled below.
        await next.connect()
        // Notices a vanished host within a minute instead of hours.
        await next.query('set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3')
        await next.query('select pg_advisory_lock($1, hashtext($2))', [WORKER_LOCK_CLASS, worker])
        next.once('end', () => {
          acquired = hold()
        })
        return
      } catch {
        await next.end().catch(() => {})
        await pause(RECONNECT_DELAY_MS)
      }
    }
  }
  let acquired = hold()
  return {
    acquired: () => acquired,
    async end() {
      over.abort()
      await client?.end().catch(() => {})
    },
  }
}

/** Unlocks the jobs of dead workers for other workers. */
export async function releaseJobsOfDeadWorkers(db: Db): Promise<void> {
  await sql`
    select graphile_worker.force_unlock_workers(array_agg(gone.locked_by))
    from (
      select holder.locked_by
      from (select distinct locked_by from graphile_worker.jobs where locked_by is not null) as holder
      where pg_try_advisory_xact_lock(${WORKER_LOCK_CLASS}::int, hashtext(holder.locked_by))
    ) as gone`.execute(db)
}
