import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'
import { cleanPlatform, cleanUpJob } from './clean-up.ts'
import { inTransaction } from '../database/db.ts'
import { enqueueJob } from './jobs.ts'

const { context } = await startWorld()
const { db } = context

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const before = (milliseconds: number) => new Date(TEST_NOW.getTime() - milliseconds)

test('removes only expired rows', async () => {
  await sql`insert into idempotency (account_id, method, path, key, request_hash, status, headers, created_on) values
    (${MARA.id}, 'POST', '/x', 'old', '', 201, '{}', ${before(DAY)}), (${MARA.id}, 'POST', '/x', 'new', '', 201, '{}', ${before(DAY - 1)})`.execute(
    db,
  )
  await sql`insert into job (type, state, done_on) values
    ('mail', 'done', ${before(7 * DAY)}), ('mail', 'done', ${before(7 * DAY - 1)}), ('mail', 'parked', null)`.execute(
    db,
  )
  await sql`insert into session (id, digest, account_id, created_on, last_used_on) values
    ('idle', ${digest(1)}, ${MARA.id}, ${before(DAY)}, ${before(8 * HOUR + 1)}),
    ('old', ${digest(2)}, ${MARA.id}, ${before(30 * DAY + 1)}, ${TEST_NOW}),
    ('live', ${digest(3)}, ${MARA.id}, ${before(30 * DAY)}, ${before(8 * HOUR)})`.execute(db)
  await sql`insert into token (digest, account_id, created_on) values
    (${digest(1)}, ${MARA.id}, ${before(DAY + 1)}), (${digest(2)}, ${MARA.id}, ${before(DAY)})`.execute(db)
  await sql`update access_key set expires_on = ${TEST_NOW} where id = ${MARA.key_id}`.execute(db)
  await sql`update access_key set expires_on = ${new Date(TEST_NOW.getTime() + 1)} where id = ${TOM.key_id}`.execute(db)
  await sql`insert into mailed_link (digest, kind, account_id, created_on, expires_on) values
    (${digest(1)}, 'password_reset', ${MARA.id}, ${before(HOUR)}, ${TEST_NOW}),
    (${digest(2)}, 'password_reset', ${MARA.id}, ${TEST_NOW}, ${new Date(TEST_NOW.getTime() + HOUR)})`.execute(db)
  await sql`insert into sign_in_failure (login, address, "on") values
    ('', 'old', ${before(HOUR)}), ('', 'new', ${before(HOUR - 1)})`.execute(db)
  await sql`insert into known_origin (account_id, kind, digest, last_used_on) values
    (${MARA.id}, 'device', ${digest(1)}, ${before(400 * DAY + 1)}), (${MARA.id}, 'device', ${digest(2)}, ${before(400 * DAY)}),
    (${MARA.id}, 'network', ${digest(3)}, ${before(90 * DAY + 1)}), (${MARA.id}, 'network', ${digest(4)}, ${before(90 * DAY)})`.execute(
    db,
  )
  await sql`insert into avatar (account_id, content) values (${MARA.id}, 'erased'), (${TOM.id}, 'kept')`.execute(db)
  await sql`update account set erased_on = ${TEST_NOW} where id = ${MARA.id}`.execute(db)
  await sql`insert into mail_request (account_id, kind, "on") values
    (${MARA.id}, 'old', ${before(DAY)}), (${MARA.id}, 'new', ${before(DAY - 1)})`.execute(db)

  await cleanUp()

  expect(await all(sql`select key from idempotency`)).toEqual([{ key: 'new' }])
  expect(await all(sql`select type, state from job order by id`)).toEqual([
    { type: 'mail', state: 'done' },
    { type: 'mail', state: 'parked' },
    { type: 'clean_up', state: 'done' },
  ])
  expect(await all(sql`select id from session`)).toEqual([{ id: 'live' }])
  expect(await all(sql`select digest from token`)).toEqual([{ digest: digest(2) }])
  expect(await all(sql`select id from access_key where account_id in (${MARA.id}, ${TOM.id})`)).toEqual([
    { id: TOM.key_id },
  ])
  expect(await all(sql`select digest from mailed_link`)).toEqual([{ digest: digest(2) }])
  expect(await all(sql`select address from sign_in_failure`)).toEqual([{ address: 'new' }])
  expect(await all(sql`select digest from known_origin order by digest`)).toEqual([
    { digest: digest(2) },
    { digest: digest(4) },
  ])
  expect(await all(sql`select account_id from avatar`)).toEqual([{ account_id: TOM.id }])
  expect(await all(sql`select kind from mail_request`)).toEqual([{ kind: 'new' }])
  await cleanUp()
})

test('a cleaner that fails does not stop the others, and is retried', async () => {
  await sql`insert into job (type, state, done_on) values ('mail', 'done', ${before(8 * DAY)})`.execute(db)
  await inTransaction(db, (tx) => enqueueJob(tx, { type: 'clean_up', payload: {} }, null))
  const broken = () => Promise.reject(new Error('the broom broke'))

  await runJobs(context, [cleanUpJob([broken, cleanPlatform])])

  expect(await all(sql`select type, state, last_error from job`)).toEqual([
    { type: 'clean_up', state: 'retrying', last_error: 'the broom broke' },
  ])
})

async function cleanUp(): Promise<void> {
  await inTransaction(db, (tx) => enqueueJob(tx, { type: 'clean_up', payload: {} }, null))
  await runJobs(context)
}

function digest(byte: number): Buffer {
  return Buffer.alloc(32, byte)
}

async function all(query: ReturnType<typeof sql<object>>): Promise<object[]> {
  return (await query.execute(db)).rows
}
