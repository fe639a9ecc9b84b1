import { sql } from 'kysely'
import { Type } from 'typebox'
import { createContext } from '../../src/context.ts'
import { JOBS, POLLERS } from '../../src/jobs.ts'
import { readConfig } from '../../src/platform/operation/config.ts'
import { defineJob } from '../../src/platform/jobs/job.ts'
import { startWorker } from '../../src/platform/jobs/worker.ts'
import { closePools } from '../../src/platform/database/pools.ts'

// A worker in a separate process, so that tests can kill it. Besides the real jobs it has two that report when they
// run.

const context = await createContext(readConfig(process.env))

const leaveMark = defineJob({
  type: 'leave_mark',
  payload: Type.Object({}),
  async run({ db }, _payload, { id }) {
    await sql`insert into event (type, object) values ('test.mark', ${`jobs/${id}`})`.execute(db)
  },
})

const neverEnd = defineJob({
  type: 'never_end',
  payload: Type.Object({}),
  async run({ db }, _payload, { id }) {
    const { rows } = await sql`insert into event (type, object)
      select 'test.mark', ${`jobs/${id}`} where not exists (select from event where object = ${`jobs/${id}`}) returning id`.execute(
      db,
    )
    if (rows.length > 0) await new Promise(() => {})
  },
})

const worker = await startWorker(context, [...JOBS, leaveMark, neverEnd], [], POLLERS)
process.once('SIGTERM', () => {
  void worker.stop().then(() => closePools(context.pools))
})
process.stdout.write('ready\n')
