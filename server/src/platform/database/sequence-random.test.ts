import { setImmediate as nextTick } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { assertSequenced } from '../../../test/harness/assert-sequenced.ts'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { createSeededRandom } from '../operation/seeded-random.ts'
import { openDatabase } from './db.ts'
import { FEED_START, type Cursor, type Event, readEventsAfter } from './events.ts'
import { sequenceEvents } from './sequence-events.ts'

const { ownerUrl } = await createTestDatabase()
const db = openDatabase({ connectionString: ownerUrl, max: 20, lock_timeout: 0, statement_timeout: 0 })
afterAll(() => db.destroy())

const WRITERS = 8
const SEQUENCERS = 3
const THINGS = 4
const TRANSACTIONS = 40

interface WrittenTransaction {
  readonly name: string
  readonly began: number
  readonly answered: number
}

/** Writers change shared rows in transactions of random length, beside sequencers with random batch sizes, and `reindex`. */
async function writeAtRandom(seed: number, isReindexing: boolean) {
  const random = createSeededRandom(seed)
  const committed: WrittenTransaction[] = []
  let [next, ticks] = [0, 0]
  const ending = new AbortController()
  const write = async () => {
    while (next < TRANSACTIONS) {
      const name = `${seed}/${next++}`
      const began = ticks++
      const tx = await db.startTransaction().execute()
      // In order of id, so that no deadlock is possible.
      for (let thing = random.integer(THINGS); thing < THINGS; thing += 1 + random.integer(THINGS)) {
        await sql`
          with after as (update thing set version = version + 1 where id = ${thing} returning id, version)
          insert into event (type, object, payload)
          select ${name}::text, 'things/' || id, jsonb_build_object('version', version) from after`.execute(tx)
        for (let pauses = random.integer(4); pauses > 0; pauses--) await nextTick()
      }
      if (random.integer(6) === 0) await tx.rollback().execute()
      else {
        await tx.commit().execute()
        committed.push({ name, began, answered: ticks++ })
      }
    }
  }
  const sequence = async () => {
    while (!ending.signal.aborted) {
      await sequenceEvents(db, 1 + random.integer(6))
      await nextTick()
    }
  }
  const seen: Event[] = []
  const follow = async () => {
    let cursor: Cursor = FEED_START
    for (let isLast = false; ; isLast = ending.signal.aborted) {
      const page = await readEventsAfter(db, cursor, 1 + random.integer(9))
      seen.push(...page)
      cursor = page.at(-1) ?? cursor
      if (isLast && page.length === 0) return
      await nextTick()
    }
  }
  const reindex = async () => {
    for (const table of ['event_position', 'event', 'feed_sequence'])
      await sql`reindex table concurrently ${sql.table(table)}`.execute(db)
  }
  const others = [...Array.from({ length: SEQUENCERS }, sequence), follow(), ...(isReindexing ? [reindex()] : [])]
  await Promise.all(Array.from({ length: WRITERS }, write))
  await sequenceEvents(db)
  ending.abort()
  await Promise.all(others)
  return { seen, committed }
}

/** Events before one whose commit was answered before their writer began. */
function uncaused(seen: readonly Event[], committed: readonly WrittenTransaction[]): string[] {
  const byName = new Map(committed.map((each) => [each.name, each]))
  let firstAnswer = Number.POSITIVE_INFINITY
  return seen.toReversed().flatMap(({ type }) => {
    const known = byName.get(type)
    if (!known) return [`${type} was rolled back`]
    const isEarly = firstAnswer < known.began
    firstAnswer = Math.min(firstAnswer, known.answered)
    return isEarly ? [type] : []
  })
}

test.each([1, 2, 3, 4, 5, 6])(
  'random transactions %i: nothing is skipped, repeated or before its cause, and versions are in order',
  async (seed) => {
    await sql`truncate event, event_position`.execute(db)
    await sql`update feed_sequence set position = 0`.execute(db)
    await sql`drop table if exists thing`.execute(db)
    await sql`create table thing as select id, 0 as version from generate_series(0, ${THINGS - 1}::integer) id`.execute(
      db,
    )

    const { seen, committed } = await writeAtRandom(seed, seed % 2 === 0)

    await assertSequenced(db)
    const { rows } = await sql<{ count: number }>`select count(*) from event`.execute(db)
    expect(seen.map(({ position }) => position)).toEqual(Array.from({ length: rows[0]?.count ?? 0 }, (_, at) => at + 1))
    expect(uncaused(seen, committed)).toEqual([])
    for (const events of Map.groupBy(seen, ({ object }) => object).values()) {
      const versions = events.map(({ payload }) => JSON.stringify(payload))
      expect(versions).toEqual(versions.map((_, at) => JSON.stringify({ version: at + 1 })))
    }
  },
)
