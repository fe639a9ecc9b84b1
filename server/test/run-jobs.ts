import { sql } from 'kysely'
import { JOBS } from '../src/jobs.ts'
import type { Context } from '../src/platform/operation/context.ts'
import type { Job } from '../src/platform/jobs/job.ts'
import { runJob } from '../src/platform/jobs/run-job.ts'

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
