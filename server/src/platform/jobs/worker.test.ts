import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { afterEach, describe, expect, test } from 'vitest'
import { COMPILE_CACHE } from '../../../test/harness/compile-cache.ts'
import { filesEnvironment } from '../../../test/harness/storage-settings.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { sampleItems } from '../../../test/harness/sampling.ts'
import { cleanUpJob } from './clean-up.ts'
import { inTransaction } from '../database/db.ts'
import { measureWorkerPresence } from './heartbeat.ts'
import { defineJob } from './job.ts'
import { enqueueJob, WORKER_TASK_NAME } from './jobs.ts'
import { startWorker, type Worker } from './worker.ts'

const { context } = await startWorld()
interface Child {
  process: ChildProcess
  ended: Promise<unknown>
}
const children: Child[] = []
const workers: Worker[] = []

// A worker that a failed test left running would take the jobs of the next test.
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  for (const { process: child, ended } of children.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
})

describe('a worker', () => {
  test('runs jobs that are enqueued while it listens, and ends on request', async () => {
    const child = await startChild()
    const id = await enqueue('leave_mark')

    await until(async () => (await stateOf(id)) === 'done')
    child.process.kill('SIGTERM')
    await child.ended

    expect(child.process.exitCode).toBe(0)
    expect(await marksOf(id)).toBe(1)
    expect(await queueLength()).toBe(0)
  })

  // job.taken: it did not run; job.ran, job.recorded: it ran, and may run again.
  const DEATHS = [
    { at: 'job.taken', marks: 1, attempts: 1 },
    { at: 'job.ran', marks: 2, attempts: 1 },
    { at: 'job.recorded', marks: 1, attempts: 0 },
  ]
  test.each(sampleItems(DEATHS, 'worker', 1))(
    'killed at $at leaves the job to the next one',
    async ({ at, marks, attempts }) => {
      const doomed = await startChild({ crash: at })
      const id = await enqueue('leave_mark')
      await doomed.ended
      expect(doomed.process.signalCode).toBe('SIGKILL')
      expect(await lockedJobs()).toBe(1)

      await startChild()

      await until(async () => (await stateOf(id)) === 'done' && (await queueLength()) === 0)
      expect(await marksOf(id)).toBe(marks)
      expect(await attemptsOf(id)).toBe(attempts)
    },
  )

  test('that dies is noticed by another one; the jobs of a live worker are not touched', async () => {
    const doomed = await startChild()
    const id = await enqueue('never_end')
    await until(async () => (await marksOf(id)) === 1)
    let runs = 0
    const neverEnd = defineJob({ type: 'never_end', payload: Type.Object({}), run: async () => void runs++ })
    const worker = stoppedAfterTest(await startWorker(context, [neverEnd], [], [], { deadWorkerCheckIntervalMs: 100 }))
    await pause(500)
    expect({ runs, locked: await lockedJobs() }).toEqual({ runs: 0, locked: 1 })

    doomed.process.kill('SIGKILL')

    await until(async () => (await stateOf(id)) === 'done')
    expect({ runs, attempts: await attemptsOf(id) }).toEqual({ runs: 1, attempts: 1 })
    await worker.stop()
  })

  test('that lost the connection of its lock acquires it again soon', async () => {
    await startChild()
    const life = () =>
      sql<{ pid: number }>`
      select pg_locks.pid from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and application_name = 'waypost worker' and datname = current_database()`.execute(
        context.db,
      )
    await until(async () => (await life()).rows.length === 1)
    const [first] = (await life()).rows

    await sql`select pg_terminate_backend(${first?.pid})`.execute(context.db)

    await until(async () => (await life()).rows.some(({ pid }) => pid !== first?.pid))
    expect((await life()).rows).toHaveLength(1)
  })

  test('stores a heartbeat while it runs, and removes it when it stops', async () => {
    await sql`delete from worker_heartbeat`.execute(context.db)
    expect(await measureWorkerPresence(context.db)).toEqual({ workers: 0, age_s: null })
    const worker = stoppedAfterTest(await startWorker(context, [], [], [], { heartbeatIntervalMs: 50 }))
    expect(await measureWorkerPresence(context.db)).toEqual({ workers: 1, age_s: expect.any(Number) })
    await sql`update worker_heartbeat set seen_on = now() - interval '12 minutes'`.execute(context.db)
    await until(async () => ((await measureWorkerPresence(context.db)).age_s ?? 720) < 60)
    await worker.stop()
    expect(await measureWorkerPresence(context.db)).toEqual({ workers: 0, age_s: null })
  })

  test('that dies leaves the time at which it was seen, for a day', async () => {
    await sql`delete from worker_heartbeat`.execute(context.db)
    const doomed = await startChild()
    const ended = once(doomed.process, 'exit')
    doomed.process.kill('SIGKILL')
    await ended
    await sql`update worker_heartbeat set seen_on = now() - interval '12 minutes'`.execute(context.db)
    const presence = await measureWorkerPresence(context.db)
    expect(presence.workers).toBe(0)
    expect(presence.age_s).toBeGreaterThanOrEqual(720)
    await sql`update worker_heartbeat set seen_on = now() - interval '25 hours'`.execute(context.db)
    const worker = stoppedAfterTest(await startWorker(context, []))
    expect((await sql`select pid from worker_heartbeat`.execute(context.db)).rows).toEqual([{ pid: process.pid }])
    await worker.stop()
  })

  test('adds a recurring job to the ledger when it is due', async () => {
    let rounds = 0
    const cleanUp = cleanUpJob([async () => void rounds++])
    // Another test file that shares this database may have left the crontab of its worker.
    await sql`delete from graphile_worker._private_known_crontabs`.execute(context.db)
    const worker = stoppedAfterTest(await startWorker(context, [cleanUp], [{ type: 'clean_up', at: '17 * * * *' }]))
    // As the engine's cron does at minute 17.
    await sql`select graphile_worker.add_job(${WORKER_TASK_NAME}, '{"recurring":"clean_up","_cron":{"ts":"2026-03-01T09:17:00Z"}}'::json)`.execute(
      context.db,
    )

    await until(async () => rounds === 1)
    // The engine stores its crontab while it already runs.
    const crontabs = async () =>
      (await sql`select identifier from graphile_worker._private_known_crontabs`.execute(context.db)).rows
    await expect.poll(crontabs).toEqual([{ identifier: 'clean_up' }])
    await worker.stop()

    const { rows } = await sql`select type, state from job`.execute(context.db)
    expect(rows).toEqual([{ type: 'clean_up', state: 'done' }])
  })

  test('finishes the current job before it stops', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const slow = cleanUpJob([
      async () => {
        begin()
        await pause(300)
      },
    ])
    const worker = stoppedAfterTest(await startWorker(context, [slow]))
    const id = await enqueue('clean_up')
    await begun

    await worker.stop()

    expect(await stateOf(id)).toBe('done')
    expect(await queueLength()).toBe(0)
  })
})

function stoppedAfterTest(worker: Worker): Worker {
  workers.push(worker)
  return worker
}

async function startChild({ crash }: { crash?: string } = {}): Promise<Child> {
  const child = spawn(process.execPath, ['--conditions=faults', 'server/test/harness/worker-process.ts'], {
    env: {
      ...COMPILE_CACHE,
      WAYPOST_ENVIRONMENT: 'test',
      WAYPOST_DATABASE_URL: context.config.WAYPOST_DATABASE_URL,
      ...filesEnvironment(context.config.WAYPOST_DATABASE_URL),
      WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
      WAYPOST_LOG_LEVEL: 'error',
      ...(crash !== undefined && { WAYPOST_CRASH: crash }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const started = { process: child, ended: once(child, 'exit') }
  children.push(started)
  await once(child.stdout, 'data')
  return started
}

async function enqueue(type: string): Promise<number> {
  await inTransaction(context.db, (tx) => enqueueJob(tx, { type, payload: {} }, null))
  const { rows } = await sql<{ id: number }>`select max(id) as id from job`.execute(context.db)
  return rows[0]?.id ?? 0
}

async function stateOf(id: number): Promise<string> {
  return (await context.db.selectFrom('job').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
}

async function attemptsOf(id: number): Promise<number> {
  return (await context.db.selectFrom('job').select('attempts').where('id', '=', id).executeTakeFirstOrThrow()).attempts
}

async function marksOf(id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from event where object = ${`jobs/${id}`}`.execute(
    context.db,
  )
  return rows[0]?.count ?? 0
}

async function lockedJobs(): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*) from graphile_worker.jobs where locked_by is not null`.execute(context.db)
  return rows[0]?.count ?? 0
}

async function queueLength(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from graphile_worker.jobs`.execute(context.db)
  return rows[0]?.count ?? 0
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 15_000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('It did not happen in time.')
    await pause(50)
  }
}
