import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { measureFeedOrder } from '../../../../bench/feed-order.ts'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { type Db, openDatabase, type Tx } from './db.ts'
import { ANONYMOUS_VIEWER } from '../http/request-state.ts'
import { FEED_START, type Cursor, deleteEventsBefore, readEventsAfter, readFeedState, recordEvent } from './events.ts'
import { sequenceEvents } from './sequence-events.ts'

const { ownerUrl, appUrl } = await createTestDatabase()
const db = openDatabase({ connectionString: ownerUrl })
afterAll(() => db.destroy())
beforeEach(() => sql`truncate event, event_position`.execute(db))

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
    await sequenceEvents(reader)
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

  expect(early).toEqual(['quick'])
  expect(await poll()).toEqual(['quick', 'slow'])
})

test('an event that is rolled back is never seen, and blocks no reader', async () => {
  const broken = await db.startTransaction().execute()
  await record(broken, 'broken')
  await broken.rollback().execute()
  await recordAlone('whole')

  expect(await follow(db)()).toEqual(['whole'])
})

test('pages keep their cursor when the first transaction to start is the second to write', async () => {
  const early = await db.startTransaction().execute()
  await sql`select pg_current_xact_id()`.execute(early)
  const late = await db.startTransaction().execute()
  await record(late, 'first')
  await record(early, 'second')
  await late.commit().execute()
  await early.commit().execute()

  const byOne = follow(db, 1)
  await byOne()
  expect(await byOne()).toEqual(['first', 'second'])
})

test('an event that is written after another transaction has ended comes after its events, whichever started first', async () => {
  const patient = await db.startTransaction().execute()
  await sql`select pg_current_xact_id()`.execute(patient)
  await recordAlone('version 2') // The next statement of the other transaction sees it, and writes a consequence of it.
  await record(patient, 'version 3')
  await patient.commit().execute()

  expect(await follow(db)()).toEqual(['version 2', 'version 3'])
})

test('an event of an open transaction delays no other', async () => {
  const patient = await db.startTransaction().execute()
  await record(patient, 'not yet')
  await recordAlone('ended')
  const poll = follow(db)
  expect(await poll()).toEqual(['ended'])
  await recordAlone('ended later')
  expect(await poll()).toEqual(['ended', 'ended later'])
  await patient.commit().execute()
  expect(await poll()).toEqual(['ended', 'ended later', 'not yet'])
})

test('retention removes a prefix of the positions, and no event without one', async () => {
  await recordAlone('first')
  await recordAlone('second')
  await sequenceEvents(db)
  await recordAlone('third')
  await sql`update event set "on" = now() - interval '2 days' where type <> 'second'`.execute(db)

  expect(await deleteEventsBefore(db, new Date(Date.now() - 86_400_000))).toBe(1)
  const { removed, horizon } = await readFeedState(db)
  expect(horizon.position - removed.position).toBe(1)
  expect(await follow(db)()).toEqual(['second', 'third'])
  await sql`update event set "on" = now() - interval '2 days'`.execute(db)
  expect(await deleteEventsBefore(db, new Date(Date.now() - 86_400_000))).toBe(2)
  const empty = await readFeedState(db)
  expect(empty.removed).toEqual(empty.horizon)
})

test('with many writers at once, some slow, some failing, nothing is skipped, repeated or out of order', async () => {
  const result = await measureFeedOrder({
    url: appUrl,
    writers: 10,
    events: 600,
    held: { count: 3, milliseconds: 700 },
    seed: 1,
  })

  expect(result).toMatchObject({
    skipped: 0,
    repeated: 0,
    out_of_order: 0,
    uncaused: 0,
    torn: 0,
    rolled_back_but_seen: 0,
  })
  expect(result.read).toBe(result.written)
  expect(result.written).toBeGreaterThan(450)
})
