import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Context } from '../operation/context.ts'
import { inTransaction, type Tx } from '../database/db.ts'
import { removeEvents } from '../database/events.ts'
import { removeOldAnswers } from '../http/idempotency.ts'
import { defineJob } from './job.ts'

/** Removes what is over. It may run at any time, any number of times, and be cut off in the middle. */
export type Cleaner = (tx: Tx, context: Context, now: Date) => Promise<void>

/** The same for what lies outside of the database too: it opens its transactions itself, and keeps them short. */
export type Sweeper = (context: Context, now: Date) => Promise<void>

const DAY = 86_400_000
const DONE_JOBS_STAY = 7 * DAY

/** Each room sweeps its own tables; one that fails does not keep the others from theirs. */
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
  await removeOldAnswers(tx, now)
  await sql`delete from job where state = 'done' and done_on <= ${new Date(now.getTime() - DONE_JOBS_STAY)}`.execute(tx)
}

/** The feed goes back so far, and no further. */
export const cleanFeed: Sweeper = async ({ db, settings }, now) => {
  await removeEvents(db, new Date(now.getTime() - settings.current.event_retention_days * DAY))
}
