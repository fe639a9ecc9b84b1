import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { inTransaction, openDatabase } from './db.ts'

const { appUrl } = await createTestDatabase()
const db = openDatabase({ connectionString: appUrl })
const other = openDatabase({ connectionString: appUrl })
afterAll(() => Promise.all([db.destroy(), other.destroy()]))

test('a connection that is lost between two statements fails its transaction, and nothing else', async () => {
  const lost = inTransaction(db, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(other)
    await new Promise((resolve) => setTimeout(resolve, 100)) // The loss is heard of while nothing is asked.
    return sql`select 1`.execute(tx)
  })

  await expect(lost).rejects.toThrow(/connection/)
  expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
})
