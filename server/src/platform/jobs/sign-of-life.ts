import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import type { Db } from '../database/db.ts'

/** The first half of the advisory locks that workers hold; the second is made from the worker's name. */
const WORKERS = 0x7761_7970
const RETRY = 1000

/** A worker that dies without a word leaves its jobs locked. While it lives, it holds a lock that dies with it. */
export interface SignOfLife {
  /** Resolves when the lock is held: nobody takes a job before that. */
  given(): Promise<void>
  end(): Promise<void>
}

/** `url` must lead straight to the database: a pooler would keep the lock of the dead. */
export function giveSignOfLife(url: string, worker: string): SignOfLife {
  const over = new AbortController()
  let client: Client | undefined
  const hold = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const next = new Client({ connectionString: url, keepAlive: true, application_name: 'waypost worker' })
      client = next
      try {
        next.on('error', () => {}) // It also ends, and that is looked at.
        await next.connect()
        // A host that vanished is noticed within a minute, not within hours.
        await next.query('set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3')
        await next.query('select pg_advisory_lock($1, hashtext($2))', [WORKERS, worker])
        next.once('end', () => {
          given = hold()
        })
        return
      } catch {
        await next.end().catch(() => {})
        await pause(RETRY)
      }
    }
  }
  let given = hold()
  return {
    given: () => given,
    async end() {
      over.abort()
      await client?.end().catch(() => {})
    },
  }
}

/** Gives back the jobs of workers that are gone; whoever is next takes them. */
export async function releaseJobsOfTheDead(db: Db): Promise<void> {
  await sql`
    select graphile_worker.force_unlock_workers(array_agg(gone.locked_by))
    from (
      select holder.locked_by
      from (select distinct locked_by from graphile_worker.jobs where locked_by is not null) as holder
      where pg_try_advisory_xact_lock(${WORKERS}::int, hashtext(holder.locked_by))
    ) as gone`.execute(db)
}
