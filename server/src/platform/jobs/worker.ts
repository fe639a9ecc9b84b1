import { EventEmitter } from 'node:events'
import { Logger, parseCronItems, run, type WorkerEvents } from 'graphile-worker'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Context } from '../operation/context.ts'
import { inTransaction } from '../database/db.ts'
import type { Job } from './job.ts'
import { enqueueJob, TASK } from './jobs.ts'
import { type Pump, startPumps } from './pump.ts'
import { runJob } from './run-job.ts'
import { giveSignOfLife, releaseJobsOfTheDead, type SignOfLife } from './sign-of-life.ts'

export interface Worker {
  /** Takes no more jobs, and waits for those under way. */
  stop(): Promise<void>
  /** Settles when the worker has ended, by `stop` or by a fault that it cannot mend. */
  readonly ended: Promise<void>
}

export interface Recurring {
  /** The job to run; its payload is empty. */
  readonly type: string
  /** When, as in a crontab, in UTC. */
  readonly at: string
}

const AT_ONCE = 4
const PATROL = 60_000

const OneJob = Type.Object({ job_id: Type.Integer() })
const NewRound = Type.Object({ recurring: Type.String() })

/** Runs what the ledger asks for, beside any number of other workers. */
export async function startWorker(
  context: Context,
  jobs: readonly Job[],
  recurring: readonly Recurring[] = [],
  pumps: readonly Pump[] = [],
  patrolEvery = PATROL,
): Promise<Worker> {
  const { db, config, log } = context
  const byType = new Map(jobs.map((job) => [job.type, job]))
  const events: WorkerEvents = new EventEmitter()
  let life: SignOfLife | undefined
  events.once('pool:create', ({ workerPool }) => {
    life = giveSignOfLife(config.WAYPOST_DATABASE_URL, workerPool.id)
  })

  await releaseJobsOfTheDead(db)
  const runner = await run({
    connectionString: config.WAYPOST_DATABASE_URL,
    concurrency: AT_ONCE,
    maxPoolSize: AT_ONCE + 2,
    noHandleSignals: true,
    // In batches: only those are waited for when the worker stops, and tried again when the database is away.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    events,
    logger: createLogger(context),
    // Asked before each job is fetched: a worker that shows no sign of life would be taken for dead in the middle of one.
    forbiddenFlags: async () => {
      await life?.given()
      return null
    },
    taskList: {
      async [TASK](payload: unknown) {
        if (Check(OneJob, payload)) await runJob(context, byType, payload.job_id)
        else if (Check(NewRound, payload))
          await inTransaction(db, (tx) => enqueueJob(tx, { type: payload.recurring, payload: {} }, null))
      },
    },
    parsedCronItems: parseCronItems(
      recurring.map(({ type, at }) => ({ task: TASK, match: at, identifier: type, payload: { recurring: type } })),
    ),
  })

  const patrol = setInterval(() => {
    releaseJobsOfTheDead(db).catch((error: unknown) => log.warn({ err: error }, 'patrol failed'))
  }, patrolEvery)
  const running = startPumps(context, pumps)
  const ended = untilEnded(runner.promise, async () => {
    clearInterval(patrol)
    await running.stop()
    await life?.end()
  })
  ended.catch(() => {}) // Whoever cares waits for it.
  return {
    ended,
    async stop() {
      await Promise.all([running.stop(), runner.stop()])
      await ended
    },
  }
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
