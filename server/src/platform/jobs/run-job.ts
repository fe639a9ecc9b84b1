import { failpoint } from '#failpoint'
import { sql } from 'kysely'
import { Check } from 'typebox/value'
import type { Context } from '../operation/context.ts'
import { inTransaction, type Tx } from '../database/db.ts'
import { Hopeless, type Job, type JobRun } from './job.ts'
import { type Attempt, type JobState, requeueJob } from './jobs.ts'
import { readSettingsVersion } from '../operation/settings.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long to wait after each failure; a job that fails once more is parked until somebody looks at it. */
const LONGEST_DELAY = 24 * HOUR
const DELAYS = [10 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR, LONGEST_DELAY]

const KEPT_ATTEMPTS = 25
const LONGEST_ERROR = 500
const DIED = 'The worker ended before the job did.'

interface Entry extends JobRun {
  type: string
  state: JobState
  payload: unknown
  /** The failures after which it was given another try. */
  attempts: number
  max_attempts: number
  started_on: Date | null
}

/** Runs one entry of the ledger and writes down how it went. Throws only if that could not be written. */
export async function runJob(context: Context, jobs: ReadonlyMap<string, Job>, id: number): Promise<void> {
  const entry = await inTransaction(context.db, (tx) => take(tx, id, context.clock.now()))
  if (!entry) return
  failpoint('job.taken')

  const failure = await attempt(context, jobs, entry)
  failpoint('job.ran')

  await inTransaction(context.db, (tx) =>
    failure ? recordFailure(tx, entry, failure, context.clock.now()) : recordSuccess(tx, id, context.clock.now()),
  )
  failpoint('job.recorded')
}

/** Undefined: there is nothing to do, or nothing any more. */
async function take(tx: Tx, id: number, now: Date): Promise<Entry | undefined> {
  const { rows } = await sql<Entry>`
    select id, type, state, payload, attempts, max_attempts, created_on, started_on, request_id
    from job where id = ${id} for update`.execute(tx)
  const [entry] = rows
  if (!entry || entry.state === 'done' || entry.state === 'parked') return undefined
  if (entry.state === 'running') {
    // Whoever ran it is gone. That counts: a job that kills its worker must not do so for ever.
    const died = { on: (entry.started_on ?? now).toISOString(), duration_ms: 0, error: DIED }
    if (entry.attempts >= entry.max_attempts) {
      await park(tx, id, died)
      return undefined
    }
    await sql`update job set attempts = attempts + 1, ${logged(died)} where id = ${id}`.execute(tx)
    entry.attempts++
  }
  await sql`update job set state = 'running', started_on = ${now}, run_after = null where id = ${id}`.execute(tx)
  return entry
}

interface Failure {
  readonly failed: Attempt
  readonly isFinal: boolean
}

async function attempt(
  context: Context,
  jobs: ReadonlyMap<string, Job>,
  { type, payload, id, created_on, request_id }: Entry,
): Promise<Failure | undefined> {
  const on = context.clock.now().toISOString()
  const begun = performance.now()
  try {
    const job = jobs.get(type)
    if (!job) throw new Error(`This worker knows no job of the type ${type}.`)
    if (!Check(job.payload, payload)) throw new Error('The payload has not the form that this type of job needs.')
    await context.settings.seen(await readSettingsVersion(context.db))
    await job.run(context, payload, { id, created_on, request_id })
    return undefined
  } catch (thrown) {
    context.log.warn({ err: thrown, job_id: id, type, request_id }, 'job failed')
    const failed = { on, duration_ms: Math.round(performance.now() - begun), error: withoutSecrets(thrown) }
    return { failed, isFinal: thrown instanceof Hopeless }
  }
}

async function recordSuccess(tx: Tx, id: number, now: Date): Promise<void> {
  await sql`update job set state = 'done', payload = null, last_error = null, done_on = ${now} where id = ${id}`.execute(
    tx,
  )
}

async function recordFailure(
  tx: Tx,
  { id, attempts, max_attempts }: Entry,
  { failed, isFinal }: Failure,
  now: Date,
): Promise<void> {
  if (isFinal || attempts >= max_attempts) return park(tx, id, failed)
  const run_after = new Date(now.getTime() + (DELAYS[attempts] ?? LONGEST_DELAY))
  await sql`
    update job set state = 'retrying', attempts = attempts + 1, run_after = ${run_after}, ${logged(failed)}
    where id = ${id}`.execute(tx)
  await requeueJob(tx, id, run_after)
}

async function park(tx: Tx, id: number, failed: Attempt): Promise<void> {
  await sql`update job set state = 'parked', run_after = null, ${logged(failed)} where id = ${id}`.execute(tx)
}

/** The last ones are enough to see what is wrong. */
function logged(failed: Attempt) {
  const log = sql`attempts_log || ${JSON.stringify([failed])}::jsonb`
  return sql`last_error = ${failed.error},
    attempts_log = jsonb_path_query_array(${log}, ${`$[last - ${KEPT_ATTEMPTS - 1} to last]`}::jsonpath)`
}

/** Administrators read this: addresses lose their password, and whatever is long and random enough for a key goes. */
function withoutSecrets(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return text
    .slice(0, LONGEST_ERROR)
    .replaceAll(/\/\/[^\s/@]*@/g, '//…@')
    .replaceAll(/(?=[\w+/=-]*\d)[\w+/=-]{24,}/g, '…')
}
