import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../operation/context.ts'
import { inTransaction, type Tx } from '../database/db.ts'
import { deleteEventsBefore } from '../database/events.ts'
import { deleteExpiredIdempotencyRecords } from '../http/idempotency.ts'
import { defineJob } from './job.ts'

/** Removes expired data. Must be idempotent and may be interrupted. */
export type Cleaner = (tx: Tx, context: Context, now: Date) => Promise<void>

/** The same for data outside the database too: it opens its own short transactions. */
export type Sweeper = (context: Context, now: Date) => Promise<void>

const DAY_MS = 86_400_000
const DONE_JOB_RETENTION_MS = 7 * DAY_MS

/** Each room cleans its own tables; one that fails does not stop the others. */
export function cleanUpJob(cleaners: readonly Cleaner[], sweepers: readonly Sweeper[] = []) {
  return defineJob({
    type: 'clean_up',
    payload: Type.Object({}),
    async run(context) {
      const failures: unknown[] = []
      const sweep = (work: Promise<void>) => work.catch((error: unknown) => void failures.push(error))
      for (const cleaner of cleaners)
        await sweep(inTransaction(context.db, (tx) => cleaner(tx, context, context.clock.now())))
      for (const sweeper of sweepers) await sweep(sweeper(context, context.clock.now()))
      const [first] = failures
      if (first !== undefined) throw first
    },
  })
}

export const cleanPlatform: Cleaner = async (tx, _context, now) => {
  await deleteExpiredIdempotencyRecords(tx, now)
  await sql`delete from job where state = 'done' and done_on <= ${new Date(now.getTime() - DONE_JOB_RETENTION_MS)}`.execute(
    tx,
  )
}

export const cleanFeed: Sweeper = async ({ db, settings }, now) => {
  await deleteEventsBefore(db, new Date(now.getTime() - settings.current.event_retention_days * DAY_MS))
}
