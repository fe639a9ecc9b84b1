import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../src/platform/operation/context.ts'
import { workOff } from './run-jobs.ts'

/** Waits until everything that was told can be read: transactions of other databases hold the feed back, too. */
export async function settleFeed({ db }: Context): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ is_settled: boolean }>`
      select not exists (select from event where xid >= pg_snapshot_xmin(pg_current_snapshot())) as is_settled`.execute(
      db,
    )
    if (rows[0]?.is_settled) return
    await pause(10)
  }
}

/** All that a worker would do by now of what has happened so far. */
export async function workOffFeed(context: Context): Promise<void> {
  await settleFeed(context)
  await workOff(context)
}
