import { failpoint } from '#failpoint'
import { sql } from 'kysely'
import { Check } from 'typebox/value'
import type { Context } from '../operation/context.ts'
import { inTransaction, type Tx } from '../database/db.ts'
import { PermanentJobError, type Job, type JobRun } from './job.ts'
import { type JobAttempt, type JobState, requeueJob } from './jobs.ts'
import { readSettingsVersion } from '../operation/settings.ts'
import { RETRY_DELAYS_MS } from './retry-delays.ts'

const MAX_RETRY_DELAY_MS = Math.max(...RETRY_DELAYS_MS)
const MAX_LOGGED_ATTEMPTS = 25
const MAX_ERROR_LENGTH = 500
const WORKER_DIED_MESSAGE = 'The worker ended before the job did.'

interface ClaimedJob extends JobRun {
  type: string
  state: JobState
  payload: unknown
  /** Failed attempts so far. */
  attempts: number
  max_attempts: number
  started_on: Date | null
}

/** Runs one entry of the ledger and stores the outcome. Throws only if the outcome cannot be stored. */
export async function runJob(context: Context, jobs: ReadonlyMap<string, Job>, id: number): Promise<void> {
  const entry = await inTransaction(context.db, (tx) => claimJob(tx, id, context.clock.now()))
  if (!entry) return
  failpoint('job.taken')

  const failure = await attempt(context, jobs, entry)
  failpoint('job.ran')

  await inTransaction(context.db, (tx) =>
    failure ? recordFailure(tx, entry, failure, context.clock.now()) : recordSuccess(tx, id, context.clock.now()),
  )
  failpoint('job.recorded')
}

/** Undefined: nothing to run. */
async function claimJob(tx: Tx, id: number, now: Date): Promise<ClaimedJob | undefined> {
  const { rows } = await sql<ClaimedJob>`
    select id, type, state, payload, attempts, max_attempts, created_on, started_on, request_id
    from job where id = ${id} for update`.execute(tx)
  const [entry] = rows
  if (!entry || entry.state === 'done' || entry.state === 'parked') return undefined
  if (entry.state === 'running') {
    // The previous worker died. That counts as an attempt, so that a job that kills its worker ends.
    const died = { on: (entry.started_on ?? now).toISOString(), duration_ms: 0, error: WORKER_DIED_MESSAGE }
    if (entry.attempts >= entry.max_attempts) {
      await parkJob(tx, id, died)
      return undefined
    }
    await sql`update job set attempts = attempts + 1, ${logAttemptSql(died)} where id = ${id}`.execute(tx)
    entry.attempts++
  }
  await sql`update job set state = 'running', started_on = ${now}, run_after = null where id = ${id}`.execute(tx)
  return entry
}

interface Failure {
  readonly failed: JobAttempt
  readonly isFinal: boolean
}

async function attempt(
  context: Context,
  jobs: ReadonlyMap<string, Job>,
  { type, payload, id, created_on, request_id }: ClaimedJob,
): Promise<Failure | undefined> {
  const on = context.clock.now().toISOString()
  const begun = performance.now()
  try {
    const job = jobs.get(type)
    if (!job) throw new Error(`This worker knows no job of the type ${type}.`)
    if (!Check(job.payload, payload)) throw new Error('The payload has not the form that this type of job needs.')
    await context.settings.reloadIfChanged(await readSettingsVersion(context.db))
    await job.run(context, payload, { id, created_on, request_id })
    return undefined
  } catch (thrown) {
    context.log.warn({ err: thrown, job_id: id, type, request_id }, 'job failed')
    const failed = { on, duration_ms: Math.round(performance.now() - begun), error: redactSecrets(thrown) }
    return { failed, isFinal: thrown instanceof PermanentJobError }
  }
}

async function recordSuccess(tx: Tx, id: number, now: Date): Promise<void> {
  await sql`update job set state = 'done', payload = null, last_error = null, done_on = ${now} where id = ${id}`.execute(
    tx,
  )
}

async function recordFailure(
  tx: Tx,
  { id, attempts, max_attempts }: ClaimedJob,
  { failed, isFinal }: Failure,
  now: Date,
): Promise<void> {
  if (isFinal || attempts >= max_attempts) return parkJob(tx, id, failed)
  const run_after = new Date(now.getTime() + (RETRY_DELAYS_MS[attempts] ?? MAX_RETRY_DELAY_MS))
  await sql`
    update job set state = 'retrying', attempts = attempts + 1, run_after = ${run_after}, ${logAttemptSql(failed)}
    where id = ${id}`.execute(tx)
  await requeueJob(tx, id, run_after)
}

async function parkJob(tx: Tx, id: number, failed: JobAttempt): Promise<void> {
  await sql`update job set state = 'parked', run_after = null, ${logAttemptSql(failed)} where id = ${id}`.execute(tx)
}

/** Keeps the last attempts only. */
function logAttemptSql(failed: JobAttempt) {
  const log = sql`attempts_log || ${JSON.stringify([failed])}::jsonb`
  return sql`last_error = ${failed.error},
    attempts_log = jsonb_path_query_array(${log}, ${`$[last - ${MAX_LOGGED_ATTEMPTS - 1} to last]`}::jsonpath)`
}

/** Administrators read this: removes passwords of addresses, and everything long and random enough to be a key. */
function redactSecrets(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return text
    .slice(0, MAX_ERROR_LENGTH)
    .replaceAll(/\/\/[^\s/@]*@/g, '//…@')
    .replaceAll(/(?=[\w+/=-]*\d)[\w+/=-]{24,}/g, '…')
}
