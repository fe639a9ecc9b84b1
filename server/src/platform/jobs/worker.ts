import { EventEmitter } from 'node:events'
import { Logger, parseCronItems, run, type WorkerEvents } from 'graphile-worker'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Context } from '../operation/context.ts'
import { inTransaction } from '../database/db.ts'
import { startHeartbeat } from './heartbeat.ts'
import type { Job } from './job.ts'
import { enqueueJob, WORKER_TASK_NAME } from './jobs.ts'
import { type Poller, startPollers } from './poller.ts'
import { runJob } from './run-job.ts'
import { holdLivenessLock, releaseJobsOfDeadWorkers, type LivenessLock } from './liveness-lock.ts'

export interface Worker {
  /** Claims no more jobs, and waits for the current ones. May be called more than once. */
  stop(): Promise<void>
  /** Settles when the worker has ended, by `stop` or by an unrecoverable error. */
  readonly ended: Promise<void>
}

export interface RecurringJob {
  /** The job to run; its payload is empty. */
  readonly type: string
  /** A crontab expression in UTC. */
  readonly at: string
}

interface WorkerTiming {
  readonly deadWorkerCheckIntervalMs?: number
  readonly heartbeatIntervalMs?: number
}

const JOB_CONCURRENCY = 4
const DEAD_WORKER_CHECK_INTERVAL_MS = 60_000

const JobMessage = Type.Object({ job_id: Type.Integer() })
const RecurringJobMessage = Type.Object({ recurring: Type.String() })

/** Runs jobs of the ledger, beside any number of other workers. */
export async function startWorker(
  context: Context,
  jobs: readonly Job[],
  recurring: readonly RecurringJob[] = [],
  pollers: readonly Poller[] = [],
  { deadWorkerCheckIntervalMs = DEAD_WORKER_CHECK_INTERVAL_MS, heartbeatIntervalMs }: WorkerTiming = {},
): Promise<Worker> {
  const { db, config, log } = context
  const byType = new Map(jobs.map((job) => [job.type, job]))
  const events: WorkerEvents = new EventEmitter()
  let livenessLock: LivenessLock | undefined
  events.once('pool:create', ({ workerPool }) => {
    livenessLock = holdLivenessLock(config.WAYPOST_DATABASE_URL, workerPool.id)
  })

  await releaseJobsOfDeadWorkers(db)
  const runner = await run({
    connectionString: config.WAYPOST_DATABASE_URL,
    concurrency: JOB_CONCURRENCY,
    maxPoolSize: JOB_CONCURRENCY + 2,
    noHandleSignals: true,
    // Batching mode: only batches are awaited on stop and retried while the database is unavailable.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    events,
    logger: createLogger(context),
    // Called before each job is fetched: a worker without its liveness lock would be taken for dead during a job.
    forbiddenFlags: async () => {
      await livenessLock?.acquired()
      return null
    },
    taskList: {
      async [WORKER_TASK_NAME](payload: unknown) {
        if (Check(JobMessage, payload)) await runJob(context, byType, payload.job_id)
        else if (Check(RecurringJobMessage, payload))
          await inTransaction(db, (tx) => enqueueJob(tx, { type: payload.recurring, payload: {} }, null))
      },
    },
    parsedCronItems: parseCronItems(
      recurring.map(({ type, at }) => ({
        task: WORKER_TASK_NAME,
        match: at,
        identifier: type,
        payload: { recurring: type },
      })),
    ),
  })

  const deadWorkerCheck = setInterval(() => {
    releaseJobsOfDeadWorkers(db).catch((error: unknown) =>
      log.warn({ err: error }, 'releasing the jobs of dead workers failed'),
    )
  }, deadWorkerCheckIntervalMs)
  const running = startPollers(context, pollers)
  const heartbeat = await startHeartbeat(db, log, heartbeatIntervalMs)
  const ended = untilEnded(runner.promise, async () => {
    clearInterval(deadWorkerCheck)
    await running.stop()
    await heartbeat.end()
    await livenessLock?.end()
  })
  ended.catch(() => {}) // The consumer of `ended` handles the error.
  const stop = async () => {
    await Promise.all([running.stop(), runner.stop()])
    await ended
  }
  let stopping: Promise<void> | undefined
  return { ended, stop: () => (stopping ??= stop()) }
}

async function untilEnded(running: Promise<void>, tidyUp: () => Promise<void>): Promise<void> {
  try {
    await running
  } finally {
    await tidyUp()
  }
}

function createLogger({ log }: Context): Logger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  return new Logger(() => (level, message) => log[levels[level]]({ worker: true }, message))
}
