import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { inTransaction, openDatabase, poolState } from './db.ts'

const { appUrl } = await createTestDatabase()
const db = openDatabase({ connectionString: appUrl })
const other = openDatabase({ connectionString: appUrl })
afterAll(() => Promise.all([db.destroy(), other.destroy()]))

test('a connection that is lost between two statements fails only its transaction', async () => {
  const lost = inTransaction(db, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(other)
    await new Promise((resolve) => setTimeout(resolve, 100)) // The loss is reported while no statement runs.
    return sql`select 1`.execute(tx)
  })

  await expect(lost).rejects.toThrow(/connection/)
  expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
})

test('a connection that is passed from one statement to the next releases the permit of each', async () => {
  const pool = openDatabase({ connectionString: appUrl, max: 4, idleTimeoutMillis: 1 })
  // Each round opens new connections, so that statements get those that others have just released.
  for (let round = 0; round < 10; round++) {
    const statements = Array.from({ length: 40 }, () => sql`select pg_sleep(0.001)`.execute(pool))
    await Promise.all(statements)
    await expect.poll(() => poolState(pool)).toEqual({ busy: 0, idle: 0, waiting: 0 })
  }
  await pool.destroy()
})
