import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../src/platform/operation/context.ts'

/** Waits until all recorded events are readable: transactions in other databases hold the feed back too. */
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
