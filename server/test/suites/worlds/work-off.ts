import { sql } from 'kysely'
import { JOBS, POLLERS } from '../../../src/jobs.ts'
import { runJob } from '../../../src/platform/jobs/run-job.ts'
import type { Context } from '../../../src/platform/operation/context.ts'
import { settleFeed } from '../../harness/settle-feed.ts'
import { inParallel } from './in-parallel.ts'

const JOBS_CONCURRENCY = 4

/** Does the work of a worker until nothing is left. Jobs run side by side, as a worker runs them. */
export async function workOffInParallel(context: Context): Promise<void> {
  await settleFeed(context)
  for (const pump of POLLERS) while (await pump.turn(context));
  const byType = new Map(JOBS.map((job) => [job.type, job]))
  for (;;) {
    const { rows } = await sql<{ id: number }>`
      select id from job where state in ('waiting', 'retrying')
        and (run_after is null or run_after <= ${context.clock.now()}) order by id`.execute(context.db)
    if (rows.length === 0) return
    await inParallel(rows, JOBS_CONCURRENCY, ({ id }) => runJob(context, byType, id))
  }
}
