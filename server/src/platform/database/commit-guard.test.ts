import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toId } from './ids.ts'
import { findIdempotencyRecord } from '../http/idempotency.ts'
import type { AccountId } from '../http/viewer.ts'
import { type Db, inSingleStatement, inTransaction, openDatabase } from './db.ts'
import { type LocalPostgres, startPostgres } from './local-postgres.ts'

// Every commit waits for a standby that does not exist, unless its session disables that.
let directory: string
let cluster: LocalPostgres
let db: Db
let impatient: Db
let onlyHere: Db

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'waypost-standby-'))
  await chmod(directory, 0o711)
  const places = { data: join(directory, 'data'), socket: join(directory, 'socket'), durable: false }
  cluster = await startPostgres({ ...places, settings: { synchronous_standby_names: 'nobody' } })
  const where = { host: cluster.host, user: 'postgres', database: 'postgres' }
  db = openDatabase(where)
  impatient = openDatabase(where, 300)
  onlyHere = openDatabase({ ...where, options: '-c synchronous_commit=local' })
  await sql`create table note (text text)`.execute(onlyHere)
  await sql`create table idempotency (account_id bigint, method text, path text, key text, request_hash bytea,
    status integer, headers jsonb, body text, location text, version jsonb, secret_id text, created_on timestamptz)`.execute(
    onlyHere,
  )
})

afterAll(async () => {
  await onlyHere.destroy()
  await cluster.kill() // Ends all waiting commits.
  await Promise.all([db.destroy(), impatient.destroy()])
  await rm(directory, { recursive: true, force: true })
})

const write = (text: string) => (tx: Db) => sql`insert into note (text) values (${text})`.execute(tx)
const notes = async (text: string) => {
  const { rows } = await sql`select from note where text = ${text}`.execute(onlyHere)
  return rows.length
}
const unknown = expect.objectContaining({ reason: 'outcome_unknown' })

/** Cancels waiting commits, until there was one: PostgreSQL then reports success with a warning. */
async function cancelWaiting(): Promise<void> {
  for (let count = 0; count === 0; await pause(20)) {
    const { rows } =
      await sql`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`.execute(onlyHere)
    count = rows.length
  }
}

describe('a commit that is cancelled while it waits for its standby', () => {
  test('has an unknown outcome at the end of a transaction', async () => {
    const [outcome] = await Promise.allSettled([inTransaction(db, write('cancelled')), cancelWaiting()])
    expect(outcome).toEqual({ status: 'rejected', reason: unknown })
    expect(await notes('cancelled')).toBe(1)
  })

  test('has an unknown outcome as a single statement', async () => {
    const [outcome] = await Promise.allSettled([inSingleStatement(db, write('alone')), cancelWaiting()])
    expect(outcome).toEqual({ status: 'rejected', reason: unknown })
  })

  test('leaves a usable connection', async () => {
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  })
})

describe('a commit whose standby does not answer', () => {
  test.each([
    ['at the end of a transaction', (text: string) => inTransaction(impatient, write(text))],
    ['as a statement of its own', (text: string) => inSingleStatement(impatient, write(text))],
  ])('times out, %s, and does not block other statements', async (text, attempt) => {
    await expect(attempt(text)).rejects.toEqual(unknown)
    expect((await sql<{ one: number }>`select 1 as one`.execute(impatient)).rows).toEqual([{ one: 1 }])
  })
})

test('an answer that only this database has is not replayed before its standby has it', async () => {
  const asked = {
    account_id: toId<AccountId>(1001),
    method: 'POST',
    path: '/notes',
    key: 'k1',
    request_hash: Buffer.from('a'),
  }
  await sql`insert into idempotency values (${asked.account_id}, ${asked.method}, ${asked.path}, ${asked.key},
    ${asked.request_hash}, 201, '{}', '{}', null, null, null, now())`.execute(onlyHere)
  await expect(findIdempotencyRecord(impatient, asked, new Date())).rejects.toThrow('terminated')
  expect(await findIdempotencyRecord(onlyHere, asked, new Date())).toMatchObject({ status: 201 })
})
