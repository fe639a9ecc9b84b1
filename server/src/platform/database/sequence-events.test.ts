import { spawn } from 'node:child_process'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { assertSequenced } from '../../../test/harness/assert-sequenced.ts'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { ANONYMOUS_VIEWER } from '../http/request-state.ts'
import { openDatabase, type Tx } from './db.ts'
import { FEED_START, readEventsAfter, readFeedState, recordEvent } from './events.ts'
import { beginFeedEpoch } from './feed-epoch.ts'
import { drainBatch, measureSequencingLag, sequenceBatch, sequenceEvents } from './sequence-events.ts'

const { ownerUrl } = await createTestDatabase()
const elsewhere = await createTestDatabase()
const db = openDatabase({ connectionString: ownerUrl, max: 20, lock_timeout: 0, statement_timeout: 0 })
afterAll(() => db.destroy())
beforeEach(() => sql`truncate event, event_position`.execute(db))

const ORIGIN = { viewer: ANONYMOUS_VIEWER, request_id: null, address: null }
const record = (tx: Tx, type: string) => recordEvent(tx, ORIGIN, { type })

async function recordAlone(...types: string[]): Promise<void> {
  const tx = await db.startTransaction().execute()
  for (const type of types) await record(tx, type)
  await tx.commit().execute()
}

async function openWriter(type: string): Promise<Tx> {
  const tx = await db.startTransaction().execute()
  await record(tx, type)
  return tx
}

const order = async () => (await readEventsAfter(db, FEED_START, 1000)).map(({ type }) => type)

/** Makes every batch wait in the middle, after its compare-and-swap, until the returned function is called. */
async function blockBatches(): Promise<() => Promise<void>> {
  await sql`create or replace function wait_for_test() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock_shared(4711); return new; end $$`.execute(db)
  await sql`create trigger wait_for_test before insert on event_position for each row execute function wait_for_test()`.execute(
    db,
  )
  const holder = new Client({ connectionString: ownerUrl })
  await holder.connect()
  await holder.query('select pg_advisory_lock(4711)')
  onTestFinished(async () => {
    await holder.end()
    await sql`drop trigger wait_for_test on event_position`.execute(db)
  })
  return async () => {
    await holder.query('select pg_advisory_unlock(4711)')
  }
}

/** The connections that wait for a lock in a batch. */
async function waitingBatches(): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%feed_sequence%'`.execute(db)
  return rows.map(({ pid }) => pid)
}

describe('a transaction that stays open', () => {
  test('delays only its own events', async () => {
    const open = await openWriter('open')
    for (const type of ['one', 'two', 'three']) {
      await recordAlone(type)
      await sequenceEvents(db)
    }
    expect(await order()).toEqual(['one', 'two', 'three'])
    await open.commit().execute()
    await sequenceEvents(db)
    expect(await order()).toEqual(['one', 'two', 'three', 'open'])
    await assertSequenced(db)
  })

  test('in another database delays nothing', async () => {
    const other = openDatabase({ connectionString: elsewhere.ownerUrl, max: 1 })
    const open = await other.startTransaction().execute()
    await sql`select pg_current_xact_id()`.execute(open)
    await recordAlone('one')
    await sequenceEvents(db)
    expect(await order()).toEqual(['one'])
    await open.rollback().execute()
    await other.destroy()
  })

  test('and is rolled back leaves no position', async () => {
    const open = await openWriter('open')
    await recordAlone('one')
    await sequenceEvents(db)
    await open.rollback().execute()
    await recordAlone('two')
    await sequenceEvents(db)
    expect(await order()).toEqual(['one', 'two'])
    await assertSequenced(db)
  })

  test('is found by its savepoints too', async () => {
    const open = await db.startTransaction().execute()
    const saved = await open.savepoint('inner').execute()
    await record(saved, 'inner')
    await recordAlone('one')
    await sequenceEvents(db)
    await saved.commit().execute()
    await sequenceEvents(db)
    expect(await order()).toEqual(['one', 'inner'])
  })
})

test('nothing is written while there is nothing to sequence', async () => {
  const turn = async () => (await db.selectFrom('feed_sequence').select('turn').executeTakeFirstOrThrow()).turn
  await sequenceEvents(db)
  const before = await turn()
  await sequenceEvents(db)
  expect(await turn()).toBe(before)
})

describe('a backlog that is longer than a batch', () => {
  test('is assigned in order of id, and later events come after it', async () => {
    const open = await openWriter('early id, late commit')
    await recordAlone('a', 'b', 'c', 'd')
    expect(await sequenceBatch(db, 3)).toBe('draining')
    await recordAlone('e')
    await open.commit().execute()
    await drainBatch(db, 3)
    expect(await order()).toEqual(['a', 'b', 'c'])
    expect((await readFeedState(db)).is_behind).toBe(true)
    await sequenceEvents(db, 3)
    expect(await order()).toEqual(['a', 'b', 'c', 'd', 'early id, late commit', 'e'])
    await assertSequenced(db)
  })

  test.each([1, 2, 3, 4])('is complete with batches of %i', async (size) => {
    await recordAlone('a', 'b', 'c', 'd')
    await sequenceEvents(db, size)
    expect(await order()).toEqual(['a', 'b', 'c', 'd'])
    await assertSequenced(db)
  })
})

describe('two sequencers at once', () => {
  test('assign each event once, and the second one includes what the first could not see', async () => {
    const release = await blockBatches()
    await recordAlone('one')
    const first = sequenceBatch(db)
    await expect.poll(waitingBatches, { timeout: 60_000 }).toHaveLength(1)
    await recordAlone('two')
    const second = sequenceBatch(db)
    await expect.poll(waitingBatches, { timeout: 60_000 }).toHaveLength(2)
    const third = sequenceEvents(db)
    await release()
    expect([await first, await second]).toEqual(['done', 'lost'])
    await third
    expect(await order()).toEqual(['one', 'two'])
    await assertSequenced(db)
  })

  test('work off a long backlog together', async () => {
    await recordAlone(...Array.from({ length: 40 }, (_, at) => String(at)))
    await Promise.all([1, 2, 3, 4].map((size) => sequenceEvents(db, size)))
    expect(await order()).toEqual(Array.from({ length: 40 }, (_, at) => String(at)))
    await assertSequenced(db)
  })
})

test('a sequencer that is killed in the middle leaves nothing, and the next one does all', async () => {
  const release = await blockBatches()
  await recordAlone('one', 'two')
  const mortal = openDatabase({ connectionString: ownerUrl, max: 1, lock_timeout: 0, statement_timeout: 0 })
  onTestFinished(() => mortal.destroy())
  const killed = sequenceBatch(mortal).catch(() => 'killed')
  await expect.poll(waitingBatches, { timeout: 60_000 }).toHaveLength(1)
  await sql`select pg_terminate_backend(${(await waitingBatches())[0]})`.execute(db)
  expect(await killed).toBe('killed')
  expect(await order()).toEqual([])
  await release()
  await sequenceEvents(db)
  expect(await order()).toEqual(['one', 'two'])
  await assertSequenced(db)
})

test('a sequencer whose process is stopped in the middle holds up no other', async () => {
  const release = await blockBatches()
  await recordAlone('one')
  const [database, sequencer] = ['./db.ts', './sequence-events.ts'].map((file) => new URL(file, import.meta.url).href)
  const script = `const { openDatabase } = await import('${database}')
    const { sequenceBatch } = await import('${sequencer}')
    await sequenceBatch(openDatabase({ connectionString: '${ownerUrl}', lock_timeout: 0, statement_timeout: 0 }))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await expect.poll(waitingBatches, { timeout: 60_000 }).toHaveLength(1)
  child.kill('SIGSTOP')
  await release()
  await recordAlone('two')
  await sequenceEvents(db)
  expect(await order()).toEqual(['one', 'two'])
  await assertSequenced(db)
})

describe('a planted fault is found', () => {
  test('running transactions of the snapshot are not looked at', async () => {
    const open = await openWriter('open')
    await recordAlone('one')
    await sequenceEvents(db)
    await sql`update feed_sequence
      set snapshot = format('%s:%s:', pg_snapshot_xmax(snapshot), pg_snapshot_xmax(snapshot))::pg_snapshot`.execute(db)
    await open.commit().execute()
    await sequenceEvents(db)
    await expect(assertSequenced(db)).rejects.toThrow('positions')
  })

  test('a position is skipped', async () => {
    await recordAlone('one')
    await sequenceEvents(db)
    await sql`update feed_sequence set position = position + 1`.execute(db)
    await recordAlone('two')
    await sequenceEvents(db)
    await expect(assertSequenced(db)).rejects.toThrow('positions')
  })

  test('an event cannot have two positions', async () => {
    await recordAlone('one')
    const before = await sql<{ snapshot: string }>`select snapshot::text from feed_sequence`.execute(db)
    await sequenceEvents(db)
    await sql`update feed_sequence set snapshot = ${before.rows[0]?.snapshot}::pg_snapshot`.execute(db)
    await expect(sequenceEvents(db)).rejects.toThrow('event_position_event_id_key')
    await sql`update feed_sequence set snapshot = pg_current_snapshot()`.execute(db)
  })
})

test('the lag is the age of the oldest committed event without a position', async () => {
  await sequenceEvents(db)
  expect(await measureSequencingLag(db)).toBe(0)
  await recordAlone('one')
  await sql`update event set "on" = now() - interval '1 hour'`.execute(db)
  expect(await measureSequencingLag(db)).toBeGreaterThan(3590)
  await sequenceEvents(db)
  expect(await measureSequencingLag(db)).toBe(0)
})

test('after a restore, numbers of transactions of another PostgreSQL neither hide nor repeat an event', async () => {
  await recordAlone('sequenced')
  await sequenceEvents(db)
  await recordAlone('not sequenced')
  // As restored into a PostgreSQL that has counted less far.
  await sql`update event set tx = '9000000000000'`.execute(db)
  await sql`update feed_sequence set snapshot = '9000000000001:9000000000001:'`.execute(db)
  await beginFeedEpoch(db)
  await recordAlone('new')
  await sequenceEvents(db)
  expect(await order()).toEqual(['sequenced', 'not sequenced', 'new'])
  await assertSequenced(db)
})
