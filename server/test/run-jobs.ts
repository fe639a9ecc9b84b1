import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { JOBS, PUMPS } from '../src/jobs.ts'
import type { Context } from '../src/platform/operation/context.ts'
import type { Job } from '../src/platform/jobs/job.ts'
import { runJob } from '../src/platform/jobs/run-job.ts'

/** Does all that a worker would do by now, without one: the pumps' work, then jobs, until nothing is left. */
export async function workOff(context: Context): Promise<void> {
  await untilSettled(context)
  for (const pump of PUMPS) while (await pump.turn(context));
  await runJobs(context)
}

/** Runs what the ledger holds and whose time has come by the clock of the test, in order, without a worker. */
export async function runJobs(context: Context, jobs: readonly Job[] = JOBS): Promise<void> {
  const byType = new Map(jobs.map((job) => [job.type, job]))
  for (;;) {
    const { rows } = await sql<{ id: number }>`
      select id from job where state in ('waiting', 'retrying')
        and (run_after is null or run_after <= ${context.clock.now()}) order by id limit 1`.execute(context.db)
    const [next] = rows
    if (!next) return
    await runJob(context, byType, next.id)
  }
}

/** Tests beside this one have transactions open, and nobody reads the feed past those. */
async function untilSettled({ db }: Context): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ is_settled: boolean }>`
      select coalesce(max(event.xid) < pg_snapshot_xmin(pg_current_snapshot()), true) as is_settled from event`.execute(
      db,
    )
    if (rows[0]?.is_settled) return
    await pause(5)
  }
}
