import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { createRolesAndDatabase } from '../../server/src/platform/database/local-postgres.ts'
import type { Cluster } from '../artifacts/cluster.ts'
import { benchAccessKey } from '../artifacts/keys.ts'
import { startMeasured } from '../artifacts/server.ts'
import { type TimedWrite, writeEvenly } from '../live/write-load.ts'
import { quantile, round, sorted } from '../quantiles.ts'
import { type FeedFaults, findFeedFaults, readSequenced } from './check-feed.ts'
import { type FeedFollower, followArtifactEvents, positionIn, fetchFeedEnd } from './follow-feed.ts'

export interface HeldFigure extends FeedFaults {
  readonly seconds: number
  readonly writes: number
  readonly received: number
  /** From the response of a write to the stream, over all and in the worst of ten parts of the time. */
  readonly p50_ms: number
  readonly p95_ms: number
  readonly worst_p95_ms: number
  /** The event of the held transaction: not received before its commit, received after it. */
  readonly held_arrived_early: boolean
  readonly held_arrived_late: boolean
}

const PARTS = 10
const ARRIVAL_TIMEOUT_MS = 30_000

/** Writes while a transaction with an event, and one in another database, stay open for the whole time. */
export async function measureHeldTransactions(
  cluster: Cluster,
  { seconds, writesPerSecond }: { readonly seconds: number; readonly writesPerSecond: number },
): Promise<HeldFigure> {
  const server = await startMeasured(cluster.appUrl)
  const { origin } = server.api
  const key = benchAccessKey('admin')
  const held = new Client({ connectionString: cluster.ownerUrl })
  const elsewhere = new Client({ connectionString: await createOtherDatabase(cluster) })
  await Promise.all([held.connect(), elsewhere.connect()])
  let follower: FeedFollower | undefined
  try {
    const load = { origin, key, ids: cluster.ids, size: cluster.size, clients: [] }
    await writeEvenly({ ...load, aSecond: 5, seconds: 1, seed: Date.now() }) // The held event is a copy of one of these.
    const after = await fetchFeedEnd(origin, key)
    const heldId = await holdEvent(held)
    await elsewhere.query('begin; select pg_current_xact_id()')
    follower = followArtifactEvents({ origin: () => origin, key, tracker: cluster.ids.tracker, after })
    const writes = await writeEvenly({ ...load, aSecond: writesPerSecond, seconds, seed: Date.now() })
    const { arrived } = follower
    await untilArrived(() => arrived.length >= writes.length)
    const isHeldEarly = (await readPositions(cluster.appUrl, heldId)) > 0
    const latencies = measureLatencies(writes, arrived)
    await Promise.all([held.query('commit'), elsewhere.query('commit')])
    await untilArrived(() => arrived.length >= writes.length + 1)
    const stored = await readSequenced(cluster.appUrl, positionIn(after))
    const events = stored.events.filter(({ position }) => position !== stored.events.at(-1)?.position)
    const all = sorted(latencies.map(({ ms }) => ms))
    return {
      // The held copy repeats a version, so only the others have to be in order.
      ...findFeedFaults({ ...stored, events }, [arrived.slice(0, -1)]),
      seconds,
      writes: writes.length,
      received: latencies.length,
      p50_ms: round(quantile(all, 0.5)),
      p95_ms: round(quantile(all, 0.95)),
      worst_p95_ms: round(worstPart(latencies)),
      held_arrived_early: isHeldEarly,
      held_arrived_late: arrived.length === writes.length + 1 && (await readPositions(cluster.appUrl, heldId)) === 1,
    }
  } finally {
    follower?.stop()
    await Promise.all([held.end(), elsewhere.end()])
    await server.stop()
  }
}

async function createOtherDatabase({ postgres }: Cluster): Promise<string> {
  return (await createRolesAndDatabase({ host: postgres.host, database: 'elsewhere' })).ownerUrl
}

/** Begins a transaction that inserts a copy of the last event of an artifact. */
async function holdEvent(client: Client): Promise<string> {
  const { rows: columns } = await client.query<{ names: string }>(
    `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
     where attrelid = 'event'::regclass and attnum > 0 and not attisdropped
       and attname not in ('id', 'xid', 'tx', 'on')`,
  )
  const names = columns[0]?.names ?? ''
  await client.query('begin')
  const { rows } = await client.query<{ id: string }>(
    `insert into event (${names}) select ${names} from event where type like 'artifact.%' order by id desc limit 1
     returning id`,
  )
  const [row] = rows
  if (!row) throw new Error('There is no event to copy.')
  return row.id
}

async function readPositions(url: string, eventId: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query('select from event_position where event_id = $1', [eventId])
  await client.end()
  return rowCount ?? 0
}

/** Without an exception at the end: a missing event is a figure. */
async function untilArrived(isDone: () => boolean): Promise<void> {
  const end = performance.now() + ARRIVAL_TIMEOUT_MS
  while (!isDone() && performance.now() < end) await pause(20)
}

interface Latency {
  readonly answered: number
  readonly ms: number
}

function measureLatencies(writes: readonly TimedWrite[], arrived: FeedFollower['arrived']): Latency[] {
  const times = new Map(arrived.map(({ v, at }) => [v, at]))
  return writes.flatMap(({ v, answered }) => {
    const at = times.get(v)
    return at === undefined ? [] : [{ answered, ms: Math.max(0, at - answered) }]
  })
}

function worstPart(latencies: readonly Latency[]): number {
  const inOrder = latencies.toSorted((one, other) => one.answered - other.answered)
  const length = Math.ceil(inOrder.length / PARTS)
  const parts = Array.from({ length: PARTS }, (_, at) => inOrder.slice(at * length, (at + 1) * length))
  return Math.max(...parts.map((part) => quantile(sorted(part.map(({ ms }) => ms)), 0.95)))
}
