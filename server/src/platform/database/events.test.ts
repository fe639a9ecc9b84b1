import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { measureFeedOrder } from '../../../../bench/feed-order.ts'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { type Db, openDatabase, type Tx } from './db.ts'
import { ANONYMOUS_VIEWER } from '../http/request-state.ts'
import { FEED_START, type Cursor, readEventsAfter, recordEvent } from './events.ts'

const { ownerUrl, appUrl } = await createTestDatabase()
const db = openDatabase({ connectionString: ownerUrl })
afterAll(() => db.destroy())
beforeEach(() => sql`truncate event`.execute(db))

/** Tests beside this one hold transactions open, for which feed readers wait. */
const HELD_UP = { timeout: 60_000 }
const ORIGIN = { viewer: ANONYMOUS_VIEWER, request_id: null, address: null }
const record = (tx: Tx, type: string) => recordEvent(tx, ORIGIN, { type })
async function recordAlone(type: string): Promise<void> {
  const tx = await db.startTransaction().execute()
  await record(tx, type)
  await tx.commit().execute()
}

/** A polling reader: each call continues at the last cursor, and returns everything read so far. */
function follow(reader: Db, limit?: number): () => Promise<string[]> {
  const seen: string[] = []
  let cursor: Cursor = FEED_START
  return async () => {
    const page = await readEventsAfter(reader, cursor, limit)
    seen.push(...page.map((event) => event.type))
    cursor = page.at(-1) ?? cursor
    return [...seen]
  }
}

test('a reader never skips an event that commits late', async () => {
  const poll = follow(db)
  const slow = await db.startTransaction().execute()
  await record(slow, 'slow') // Gets the lower id and commits later.
  await recordAlone('quick')

  const early = await poll()
  await slow.commit().execute()

  expect(early).toEqual([]) // If the quick event were returned, the slow one would be skipped for ever.
  await expect.poll(poll, HELD_UP).toEqual(['slow', 'quick'])
})

test('an event that is rolled back is never seen, and blocks no reader', async () => {
  const broken = await db.startTransaction().execute()
  await record(broken, 'broken')
  await broken.rollback().execute()
  await recordAlone('whole')

  await expect.poll(follow(db), HELD_UP).toEqual(['whole'])
})

test('pages keep their cursor when the first transaction to start is the second to write', async () => {
  const early = await db.startTransaction().execute()
  await sql`select pg_current_xact_id()`.execute(early)
  const late = await db.startTransaction().execute()
  await record(late, 'lower id')
  await record(early, 'lower xid')
  await late.commit().execute()
  await early.commit().execute()

  // Which one is first depends on other transactions in the cluster; that the order is stable does not.
  const byOne = follow(db, 1)
  await expect.poll(byOne, HELD_UP).toHaveLength(2)
  const whole = await follow(db)()
  expect(whole.toSorted()).toEqual(['lower id', 'lower xid'])
  expect(await byOne()).toEqual(whole)
})

test('an event that is written after another transaction has ended comes after its events, whichever started first', async () => {
  const patient = await db.startTransaction().execute()
  await sql`select pg_current_xact_id()`.execute(patient)
  await recordAlone('version 2') // The next statement of the other transaction sees it, and writes a consequence of it.
  await record(patient, 'version 3')
  await patient.commit().execute()

  await expect.poll(follow(db), HELD_UP).toEqual(['version 2', 'version 3'])
})

test('an event of an open transaction is not visible, whatever its position', async () => {
  const patient = await db.startTransaction().execute()
  await sql`select pg_current_xact_id()`.execute(patient)
  await recordAlone('ended')
  await record(patient, 'not yet')
  await recordAlone('ended later')

  expect(await follow(db)()).toEqual([])
  await patient.commit().execute()
  await expect.poll(follow(db), HELD_UP).toEqual(['ended', 'not yet', 'ended later'])
})

test('with many writers at once, some slow, some failing, nothing is skipped, repeated or out of order', async () => {
  const result = await measureFeedOrder({
    url: appUrl,
    writers: 10,
    events: 600,
    held: { count: 3, milliseconds: 700 },
    seed: 1,
  })

  expect(result).toMatchObject({ skipped: 0, repeated: 0, out_of_order: 0, torn: 0, rolled_back_but_seen: 0 })
  expect(result.read).toBe(result.written)
  expect(result.written).toBeGreaterThan(450)
})
