import { sql } from 'kysely'
import { JOBS, POLLERS } from '../../src/jobs.ts'
import type { Context } from '../../src/platform/operation/context.ts'
import type { Job } from '../../src/platform/jobs/job.ts'
import { runJob } from '../../src/platform/jobs/run-job.ts'
import { settleFeed } from './settle-feed.ts'

/** Does the work of a worker without one: pollers, then jobs, until nothing is left. */
export async function drainWorker(context: Context): Promise<void> {
  await settleFeed(context)
  for (const poller of POLLERS) while (await poller.turn(context));
  await runJobs(context)
}

/** Runs all due jobs of the ledger in order, by the test clock, without a worker. */
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
