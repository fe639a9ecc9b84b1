import { type Generated, type GeneratedAlways, type RawBuilder, sql } from 'kysely'
import type { Tx } from '../database/db.ts'

declare module '../database/db.ts' {
  interface Tables {
    job: JobTable
  }
}

export type JobState = 'waiting' | 'running' | 'retrying' | 'parked' | 'done'

export interface JobTable {
  id: GeneratedAlways<number>
  type: string
  state: Generated<JobState>
  payload: unknown
  object: string | null
  request_id: string | null
  attempts: Generated<number>
  max_attempts: Generated<number>
  created_on: Generated<Date>
  run_after: Date | null
  started_on: Date | null
  done_on: Date | null
  last_error: string | null
  attempts_log: Generated<JobAttempt[]>
}

export interface JobAttempt {
  on: string
  duration_ms: number
  error: string
}

export interface NewJob {
  type: string
  /** Jobs with the same `queue` member run one after the other, across all workers. */
  payload: object
  /** The `uri` of its object. */
  object?: string
  run_after?: Date
}

/** The only task of the job engine: run a row of the ledger. */
export const WORKER_TASK_NAME = 'waypost'

/** Adds a job to ledger and queue in the transaction of its change, so that it cannot be lost. */
export async function enqueueJob(
  tx: Tx,
  { type, payload, object, run_after }: NewJob,
  request_id: string | null,
): Promise<void> {
  await sql`
    with entry as (
      insert into job (type, payload, object, request_id, run_after)
      values (${type}, ${JSON.stringify(payload)}::jsonb, ${object ?? null}, ${request_id}, ${run_after ?? null})
      returning id, payload, run_after
    )
    select ${addToQueue(sql`coalesce(run_after, now())`)} from entry`.execute(tx)
}

/** Adds many jobs without a request, in one statement. */
export async function enqueueJobs(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return
  await sql`
    with entry as (
      insert into job (type, payload, object, run_after)
      select type, payload, object, run_after from jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb)
        as come (type text, payload jsonb, object text, run_after timestamptz)
      returning id, payload, run_after
    )
    select ${addToQueue(sql`coalesce(run_after, now())`)} from entry`.execute(tx)
}

/** Queues an entry of the ledger again. The job key keeps it in the queue at most once. */
export async function requeueJob(tx: Tx, id: number, run_at: Date): Promise<void> {
  await sql`select ${addToQueue(sql`${run_at}`)} from job where id = ${id}`.execute(tx)
}

function addToQueue(run_at: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`graphile_worker.add_job(${WORKER_TASK_NAME}, json_build_object('job_id', id), run_at => ${run_at},
    job_key => 'job ' || id, queue_name => payload ->> 'queue')`
}
