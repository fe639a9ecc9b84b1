import { sql } from 'kysely'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { inTransaction } from '../database/db.ts'
import { defineJob, PermanentJobError } from './job.ts'
import { enqueueJob, type JobTable } from './jobs.ts'
import { runJob } from './run-job.ts'

const { context, clock } = await startWorld()

let runs: string[] = []
const greet = defineJob({
  type: 'greet',
  payload: Type.Object({ name: Type.String() }),
  async run(_context, { name }) {
    runs.push(name)
  },
})
const fail = defineJob({
  type: 'fail',
  payload: Type.Object({ error: Type.String() }),
  async run(_context, { error }) {
    throw new Error(error)
  },
})
const despair = defineJob({
  type: 'despair',
  payload: Type.Object({}),
  async run() {
    throw new PermanentJobError('the target is forbidden')
  },
})
const jobs = new Map([greet, fail, despair].map((job) => [job.type, job]))

describe('a job', () => {
  test('runs once, is done, and drops its payload', async () => {
    const id = await enqueue('greet', { name: 'Mara' })
    runs = []

    await runJob(context, jobs, id)
    await runJob(context, jobs, id)

    expect(runs).toEqual(['Mara'])
    expect(await read(id)).toMatchObject({
      state: 'done',
      payload: null,
      done_on: TEST_NOW,
      started_on: TEST_NOW,
      attempts: 0,
    })
  })

  test('exists if and only if its change commits', async () => {
    const tx = await context.db.startTransaction().execute()
    await enqueueJob(tx, { type: 'greet', payload: { name: 'Nobody' } }, null)
    await tx.rollback().execute()

    const { rows } = await sql`select from job union all select from graphile_worker.jobs`.execute(context.db)
    expect(rows).toEqual([])
  })

  test('that fails is retried with increasing delays, then parked', async () => {
    const id = await enqueue('fail', { error: 'store not reachable' })

    const pauses: number[] = []
    for (;;) {
      await runJob(context, jobs, id)
      const { state, run_after } = await read(id)
      if (state === 'parked') break
      expect(state).toBe('retrying')
      expect(await queued(id)).toEqual([run_after])
      pauses.push(((run_after?.getTime() ?? 0) - clock.now().getTime()) / 1000)
      clock.set(run_after ?? TEST_NOW)
    }

    expect(pauses).toEqual([10, 30, 120, 600, 3600, 10_800, 28_800, 86_400])
    const { attempts, max_attempts, last_error, attempts_log, run_after, payload } = await read(id)
    expect({ attempts, max_attempts, last_error, run_after }).toEqual({
      attempts: 8,
      max_attempts: 8,
      last_error: 'store not reachable',
      run_after: null,
    })
    expect(attempts_log).toHaveLength(9)
    expect(attempts_log[0]).toEqual({
      on: TEST_NOW.toISOString(),
      duration_ms: expect.any(Number),
      error: 'store not reachable',
    })
    expect(payload).not.toBeNull()
    await runJob(context, jobs, id)
    expect((await read(id)).attempts_log).toHaveLength(9)
  })

  test('that no retry can help is parked at once', async () => {
    const id = await enqueue('despair', {})

    await runJob(context, jobs, id)

    expect(await read(id)).toMatchObject({ state: 'parked', attempts: 0, last_error: 'the target is forbidden' })
    expect((await read(id)).attempts_log).toHaveLength(1)
  })

  test('of a queue stays in it when it is retried', async () => {
    const id = await enqueue('fail', { error: 'no', queue: 'one by one' })
    const queueOf = async () => {
      const { rows } = await sql`select queue_name from graphile_worker.jobs where key = ${`job ${id}`}`.execute(
        context.db,
      )
      return rows
    }
    expect(await queueOf()).toEqual([{ queue_name: 'one by one' }])

    await runJob(context, jobs, id)

    expect(await queueOf()).toEqual([{ queue_name: 'one by one' }])
  })

  test('is in the queue once, however often it is queued', async () => {
    const id = await enqueue('fail', { error: 'no' })

    await runJob(context, jobs, id)
    await runJob(context, jobs, id)

    expect(await queued(id)).toHaveLength(1)
  })

  test('is run again after its worker has died, which counts as an attempt', async () => {
    const id = await enqueue('greet', { name: 'Tom' })
    await sql`update job set state = 'running', started_on = ${TEST_NOW} where id = ${id}`.execute(context.db)
    runs = []

    await runJob(context, jobs, id)

    expect(runs).toEqual(['Tom'])
    const { state, attempts, attempts_log } = await read(id)
    expect({ state, attempts }).toEqual({ state: 'done', attempts: 1 })
    expect(attempts_log).toMatchObject([{ error: 'The worker ended before the job did.' }])
  })

  test('that kills its worker each time is parked in the end', async () => {
    const id = await enqueue('greet', { name: 'Tom' })
    await sql`update job set state = 'running', attempts = 8 where id = ${id}`.execute(context.db)
    runs = []

    await runJob(context, jobs, id)

    expect(runs).toEqual([])
    expect((await read(id)).state).toBe('parked')
  })

  test('keeps the last 25 attempts', async () => {
    const id = await enqueue('fail', { error: 'again' })
    const log = JSON.stringify(Array.from({ length: 25 }, (_, index) => ({ error: `old ${index}` })))
    await sql`update job set attempts_log = ${log}::jsonb where id = ${id}`.execute(context.db)

    await runJob(context, jobs, id)

    const errors = (await read(id)).attempts_log.map(({ error }) => error)
    expect(errors).toHaveLength(25)
    expect([errors[0], errors.at(-1)]).toEqual(['old 1', 'again'])
  })

  test('has no secret in its errors', async () => {
    const secret = 'q'.repeat(20) + '7'.repeat(23)
    const id = await enqueue('fail', {
      error: `smtp://mara:hunter2@mail.example refused ${secret}, see idle_in_transaction_session_timeout`,
    })

    await runJob(context, jobs, id)

    expect((await read(id)).last_error).toBe('smtp://…@mail.example refused …, see idle_in_transaction_session_timeout')
  })

  test.each([
    { type: 'unheard_of', payload: {}, error: 'This worker knows no job of the type unheard_of.' },
    { type: 'greet', payload: { name: 7 }, error: 'The payload has not the form that this type of job needs.' },
  ])('of the type $type with $payload fails as usual', async ({ type, payload, error }) => {
    const id = await enqueue(type, payload)

    await runJob(context, jobs, id)

    expect(await read(id)).toMatchObject({ state: 'retrying', last_error: error })
  })
})

async function enqueue(type: string, payload: object): Promise<number> {
  await inTransaction(context.db, (tx) => enqueueJob(tx, { type, payload }, null))
  const { rows } = await sql<{ id: number }>`select max(id) as id from job`.execute(context.db)
  return rows[0]?.id ?? 0
}

async function read(id: number): Promise<
  Pick<JobTable, 'payload' | 'run_after'> & {
    state: string
    attempts: number
    max_attempts: number
    last_error: string | null
    attempts_log: { error: string }[]
  }
> {
  return context.db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

async function queued(id: number): Promise<Date[]> {
  const { rows } = await sql<{
    run_at: Date
  }>`select run_at from graphile_worker.jobs where key = ${`job ${id}`}`.execute(context.db)
  return rows.map(({ run_at }) => run_at)
}
