import { setTimeout as pause } from 'node:timers/promises'
import { type Db, inTransaction, openDatabase } from '../server/src/platform/database/db.ts'
import { FEED_START, type Cursor, readEventsAfter, recordEvent } from '../server/src/platform/database/events.ts'
import { sequenceEvents } from '../server/src/platform/database/sequence-events.ts'
import { ANONYMOUS_VIEWER } from '../server/src/platform/http/request-state.ts'
import { createSeededRandom } from '../server/src/platform/operation/seeded-random.ts'

interface FeedOrderOptions {
  url: string
  writers: number
  events: number
  /** The number of transactions held open, and for how long. */
  held: { count: number; milliseconds: number }
  seed: number
}

export interface FeedOrderResult {
  written: number
  read: number
  skipped: number
  repeated: number
  /** Events whose position is not the one after that of the event before. */
  out_of_order: number
  /** Events delivered before one whose commit was answered before their writer began. */
  uncaused: number
  /** Transactions whose events were delivered out of their own order. */
  torn: number
  rolled_back_but_seen: number
  polls: number
  seconds: number
}

const ORIGIN = { viewer: ANONYMOUS_VIEWER, request_id: null, address: null }

/**
 * Concurrent writers commit transactions of one to five events; some are held open, some roll back, while one reader
 * follows its cursor. Compares the events read with those committed.
 */
export async function measureFeedOrder(options: FeedOrderOptions): Promise<FeedOrderResult> {
  const { url, writers, events, held, seed } = options
  const db = openDatabase({
    connectionString: url,
    max: writers + held.count + 1,
    idle_in_transaction_session_timeout: 60_000,
  })
  const began = Date.now()
  const random = createSeededRandom(seed)
  const committed = new Set<string>()
  const spans = new Map<string, Span>()
  let ticks = 0 // Orders beginnings and answers.
  const rolledBack = new Set<string>()
  let [next, transactions] = [0, 0]
  const takeBatch = () => {
    const size = Math.min(1 + random.integer(5), events - next)
    next += size
    const transaction = transactions++
    return Array.from({ length: size }, (_, part) => `${transaction}/${part}`)
  }

  const write = async (names: string[], hold: number) => {
    const fails = random.integer(20) === 0
    const start = ticks++
    const work = inTransaction(db, async (tx) => {
      for (const name of names) await recordEvent(tx, ORIGIN, { type: 'measured', object: name })
      if (hold > 0) await pause(hold)
      if (fails) throw new Error('rolled back on purpose')
    })
    const failed = await work.then(
      () => false,
      () => true,
    )
    const answered = ticks++
    for (const name of names) {
      ;(failed ? rolledBack : committed).add(name)
      spans.set(name, { began: start, answered })
    }
  }
  const writer = async () => {
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch())
      await write(batch, random.integer(10) === 0 ? 5 : 0)
  }
  const holder = async () => {
    await pause(random.integer(500))
    const batch = takeBatch()
    if (batch.length > 0) await write(batch, held.milliseconds)
  }

  const done = Promise.all([...Array.from({ length: writers }, writer), ...Array.from({ length: held.count }, holder)])
  const { seen, polls } = await follow(db, done, () => committed.size)
  await done
  await db.destroy()
  return {
    ...compare(seen, committed, rolledBack),
    uncaused: countUncaused(seen, spans),
    polls,
    seconds: (Date.now() - began) / 1000,
  }
}

interface Seen extends Cursor {
  name: string
}

/** When the writer began, and when its commit was answered. */
interface Span {
  began: number
  answered: number
}

async function follow(
  db: Db,
  done: Promise<unknown>,
  expected: () => number,
): Promise<{ seen: Seen[]; polls: number }> {
  const seen: Seen[] = []
  let cursor: Cursor = FEED_START
  let polls = 0
  const over = done.then(() => true)
  for (let idle = 0; idle < 100; ) {
    const finished = await Promise.race([over, pause(0, false)])
    if (finished && seen.length >= expected()) break
    await sequenceEvents(db)
    const page = await readEventsAfter(db, cursor, 500)
    polls++
    seen.push(...page.map(({ position, object }) => ({ position, name: object ?? '' })))
    cursor = page.at(-1) ?? cursor
    idle = page.length === 0 && finished ? idle + 1 : 0
    if (page.length === 0) await pause(5)
  }
  return { seen, polls }
}

function compare(seen: readonly Seen[], committed: ReadonlySet<string>, rolledBack: ReadonlySet<string>) {
  const names = new Set(seen.map(({ name }) => name))
  const pairs = seen.slice(1).map((one, index) => [seen[index], one] as const)
  return {
    written: committed.size,
    read: seen.length,
    skipped: [...committed].filter((name) => !names.has(name)).length,
    repeated: seen.length - names.size,
    out_of_order: pairs.filter(([before, after]) => before && after.position !== before.position + 1).length,
    torn: [...Map.groupBy(seen, ({ name }) => name.split('/')[0]).values()].filter((group) => !isWhole(group)).length,
    rolled_back_but_seen: [...names].filter((name) => rolledBack.has(name)).length,
  }
}

function countUncaused(seen: readonly Seen[], spans: ReadonlyMap<string, Span>): number {
  let [count, firstAnswer] = [0, Number.POSITIVE_INFINITY]
  for (const { name } of seen.toReversed()) {
    const { began, answered } = spans.get(name) ?? { began: 0, answered: Number.POSITIVE_INFINITY }
    if (firstAnswer < began) count++
    firstAnswer = Math.min(firstAnswer, answered)
  }
  return count
}

function isWhole(group: readonly Seen[]): boolean {
  return group.every(({ name }, index) => name.endsWith(`/${index}`))
}
