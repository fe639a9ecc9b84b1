import { Client, Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { createStatementNames, prepareStatements } from './prepare-statements.ts'

const { ownerUrl } = await createTestDatabase()
const pool = new Pool({ connectionString: ownerUrl, max: 1 })
const client = await pool.connect()
let described = 0

beforeAll(() => {
  if (!(client instanceof Client)) throw new TypeError('The pool has clients of another kind.')
  const { stream } = client.connection
  const write = stream.write.bind(stream)
  Object.assign(stream, {
    write(message: Buffer, ...more: unknown[]): unknown {
      if (message[0] === 'D'.charCodeAt(0)) described++
      return Reflect.apply(write, stream, [message, ...more])
    },
  })
  prepareStatements(client, createStatementNames())
})
afterAll(async () => {
  client.release()
  await pool.end()
})

/** Runs a statement several times; returns how often its columns were asked for. */
async function repeat(times: number, text: string, expected: (run: number) => unknown): Promise<number> {
  const before = described
  for (let run = 1; run <= times; run++) {
    const { rows } = await client.query(text, [run])
    expect(rows).toEqual(expected(run))
  }
  return described - before
}

test('the columns of a prepared statement are asked for once, and its rows are the same each time', async () => {
  // The first execution is not prepared, the second one is.
  const asked = await repeat(6, "select $1::int as one, 'text' as other, null as none", (run) => [
    { one: run, other: 'text', none: null },
  ])

  expect(asked).toBe(2)
})

test('statements without rows, and without columns, are described once', async () => {
  expect(await repeat(5, 'select $1::int as one where false', () => [])).toBe(2)
  await client.query('create temporary table counted (number int)')
  expect(await repeat(5, 'insert into counted values ($1)', () => [])).toBe(2)
  expect(
    await repeat(5, 'select from counted where number <= $1', (run) => Array.from({ length: run }, () => ({}))),
  ).toBe(2)
})

test('statements between the executions of a prepared one have their own columns', async () => {
  for (let run = 1; run <= 4; run++) {
    expect((await client.query('select $1::int as prepared', [run])).rows).toEqual([{ prepared: run }])
    expect((await client.query(`select ${run} as plain`)).rows).toEqual([{ plain: run }])
    expect((await client.query('/* planned anew */ select $1::int as replanned', [run])).rows).toEqual([
      { replanned: run },
    ])
    await expect(client.query('select 1 / ($1::int - $1::int) as never', [run])).rejects.toThrow(/division/)
  }
})

test('a prepared statement whose columns would change fails, and answers again when they are back', async () => {
  await client.query('create temporary table shaped (one int)')
  await client.query('insert into shaped values (1)')
  expect(await repeat(3, 'select * from shaped where $1 > 0', () => [{ one: 1 }])).toBe(2)

  await client.query('alter table shaped add column two int')
  await expect(client.query('select * from shaped where $1 > 0', [1])).rejects.toThrow(/must not change result type/)

  await client.query('alter table shaped drop column two')
  expect(await repeat(2, 'select * from shaped where $1 > 0', () => [{ one: 1 }])).toBe(0)
})
