import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { measureFeedOrder } from '../../../../bench/feed-order.ts'
import { createTestDatabase } from '../../../test/database.ts'
import { type Db, openDatabase, type Tx } from './db.ts'
import { ANONYMOUS } from '../http/exchange.ts'
import { BEGINNING, type Cursor, readEvents, recordEvent } from './events.ts'

vi.setConfig({ testTimeout: 70_000 })

const { ownerUrl, appUrl } = await createTestDatabase()
const db = openDatabase({ connectionString: ownerUrl })
afterAll(() => db.destroy())
beforeEach(() => sql`truncate event`.execute(db))

/** Tests beside this one have transactions open, which readers of the feed wait for. */
const HELD_UP = { timeout: 60_000 }
const ORIGIN = { viewer: ANONYMOUS, request_id: null, address: null }
const record = (tx: Tx, type: string) => recordEvent(tx, ORIGIN, { type })
async function recordAlone(type: string): Promise<void> {
  const tx = await db.startTransaction().execute()
  await record(tx, type)
  await tx.commit().execute()
}

/** A feed that polls: each call reads on from where the last one ended, and returns all that was seen so far. */
function follow(reader: Db, limit?: number): () => Promise<string[]> {
  const seen: string[] = []
  let cursor: Cursor = BEGINNING
  return async () => {
    const page = await readEvents(reader, cursor, limit)
    seen.push(...page.map((event) => event.type))
    cursor = page.at(-1) ?? cursor
    return [...seen]
  }
}

test('a reader never skips an event that commits late', async () => {
  const poll = follow(db)
  const slow = await db.startTransaction().execute()
  await record(slow, 'slow') // Draws the lower id, and is in no hurry.
  await recordAlone('quick')

  const early = await poll()
  await slow.commit().execute()

  expect(early).toEqual([]) // Had the quick one been handed out, the slow one would be passed by for ever.
  await expect.poll(poll, HELD_UP).toEqual(['slow', 'quick'])
})

test('an event that rolls back is never seen, and holds nobody up', async () => {
  const broken = await db.startTransaction().execute()
  await record(broken, 'broken')
  await broken.rollback().execute()
  await recordAlone('whole')

  await expect.poll(follow(db), HELD_UP).toEqual(['whole'])
})

test('pages keep their place when the first to start is the second to speak', async () => {
  const early = await db.startTransaction().execute()
  await sql`select pg_current_xact_id()`.execute(early)
  const late = await db.startTransaction().execute()
  await record(late, 'lower id')
  await record(early, 'lower xid')
  await late.commit().execute()
  await early.commit().execute()

  // Which of them is the first depends on what others in the cluster have ended meanwhile; that it stays so does not.
  const byOne = follow(db, 1)
  await expect.poll(byOne, HELD_UP).toHaveLength(2)
  const whole = await follow(db)()
  expect(whole.toSorted()).toEqual(['lower id', 'lower xid'])
  expect(await byOne()).toEqual(whole)
})

test('whoever speaks after another has ended stands behind it, whoever of them was the first to start', async () => {
  const patient = await db.startTransaction().execute()
  await sql`select pg_current_xact_id()`.execute(patient)
  await recordAlone('version 2') // Seen by the next statement of the other, which writes what follows from it.
  await record(patient, 'version 3')
  await patient.commit().execute()

  await expect.poll(follow(db), HELD_UP).toEqual(['version 2', 'version 3'])
})

test('an event of somebody who still writes is not seen, wherever it stands', async () => {
  const patient = await db.startTransaction().execute()
  await sql`select pg_current_xact_id()`.execute(patient)
  await recordAlone('ended')
  await record(patient, 'not yet')
  await recordAlone('ended later')

  expect(await follow(db)()).toEqual([])
  await patient.commit().execute()
  await expect.poll(follow(db), HELD_UP).toEqual(['ended', 'not yet', 'ended later'])
})

test('many writers at once, some slow, some failing: nothing is skipped, repeated or out of order', async () => {
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
