import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { print } from '../../server/src/commands/print.ts'
import type { ServerProcess } from '../../server/test/harness/server-process.ts'
import { type Cluster, openCluster } from '../artifacts/cluster.ts'
import { HttpConnection } from '../artifacts/http-connection.ts'
import { watchProcessors } from '../artifacts/processor-time.ts'
import { startMeasured } from '../artifacts/server.ts'
import { quantile, round, sorted } from '../quantiles.ts'
import { type LiveClient, openClient } from './live-client.ts'
import { STREAMS_PER_ACCOUNT, queriesOf } from './mix.ts'
import { type BenchPerson, giveKeys } from './people.ts'
import { writeEvenly, type TimedWrite } from './write-load.ts'

export interface LiveOptions {
  readonly size: number
  /** The number of people who follow eight queries each. */
  readonly people: number
  readonly seconds: number
  /** The number of people with eight idle streams each. */
  readonly idle: number
  readonly data: string
}

export interface LiveFigures {
  readonly size: number
  readonly streams: number
  readonly writes_a_second: number
  readonly seconds: number
  readonly writes: number
  /** The number of frames caused by writes. */
  readonly frames: number
  /** Milliseconds from the response to the write, which follows its commit, to the client's socket. */
  readonly from_answer: { readonly p50: number; readonly p95: number; readonly p99: number }
  /** Milliseconds from the request of the write: an upper bound, because the commit is later. */
  readonly from_request: { readonly p50: number; readonly p95: number; readonly p99: number }
  /** CPU usage of the server and of PostgreSQL in processors, including writes and reads; null if unknown. */
  readonly processors: { readonly server: number | null; readonly postgres: number | null }
  /** Latency of other requests meanwhile: one artifact, read ten times per second. */
  readonly reads: { readonly p50: number; readonly p95: number }
  readonly opening_seconds: number
  readonly resets: number
  readonly idle: { readonly streams: number; readonly memory_growth: number } | null
  /** True if every client ends with the rows of the list. */
  readonly is_right: boolean
}

const WRITES_A_SECOND = 20
const MB = 1_000_000
/** The followers cover every kind: group red, no group, group blue, and an administrator. */
const KINDS = [0, 300, 200, 1, 301, 250, 2, 302, 201, 3]

/** Live queries on one tracker under writes, and the cost of idle streams. */
export async function measureLive(options: LiveOptions): Promise<LiveFigures> {
  const { size, people, idle, data } = options
  const cluster = await openCluster(size, data)
  try {
    const followed = await withServer(cluster, (server) => measureDelay(cluster, server, options, people))
    const growth = idle > 0 ? await withServer(cluster, (server) => measureIdle(cluster, server, idle)) : null
    const figures = { ...followed, idle: growth }
    print(`live: ${JSON.stringify(figures)}`)
    return figures
  } finally {
    await cluster.stop()
  }
}

async function withServer<T>(cluster: Cluster, work: (server: ServerProcess) => Promise<T>): Promise<T> {
  const server = await startMeasured(cluster.appUrl)
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

async function measureDelay(
  cluster: Cluster,
  server: ServerProcess,
  { size, seconds }: LiveOptions,
  people: number,
): Promise<Omit<LiveFigures, 'idle'>> {
  const { origin } = server.api
  const places = Array.from(
    { length: people },
    (_, at) => (KINDS[at % KINDS.length] ?? 0) + 4 * Math.floor(at / KINDS.length),
  )
  const followers = await giveKeys(cluster, places)
  const [writer] = await giveKeys(cluster, [253])
  const began = performance.now()
  const clients = await openAll(cluster, origin, followers)
  const opening = (performance.now() - began) / 1000
  print(`${clients.length} live queries opened in ${opening.toFixed(1)} s`)
  const load = { origin, key: writer?.key ?? '', ids: cluster.ids, size, aSecond: WRITES_A_SECOND, clients }
  await writeEvenly({ ...load, seconds: Math.min(5, seconds / 2) })
  const used = await watchProcessors([server.pid, cluster.pid])
  const reading = readMeanwhile(origin, writer?.key ?? '', seconds)
  const written = await writeEvenly({ ...load, seconds })
  const reads = sorted(await reading)
  const [ofServer = null, ofDatabase = null] = await used()
  await pause(1500)
  const delays = delaysOf(written, clients)
  const is_right = await compareAll(origin, clients)
  for (const client of clients) client.close()
  return {
    size,
    streams: clients.length,
    writes_a_second: WRITES_A_SECOND,
    seconds,
    writes: written.length,
    frames: delays.length,
    from_answer: quantilesOf(delays.map(({ answered }) => answered)),
    from_request: quantilesOf(delays.map(({ sent }) => sent)),
    processors: { server: ofServer, postgres: ofDatabase },
    reads: { p50: round(quantile(reads, 0.5)), p95: round(quantile(reads, 0.95)) },
    opening_seconds: round(opening),
    resets: clients.flatMap(({ arrived }) => arrived).filter(({ event }) => event === 'reset').length,
    is_right,
  }
}

async function openAll({ ids }: Cluster, origin: string, followers: readonly BenchPerson[]): Promise<LiveClient[]> {
  const clients: LiveClient[] = []
  for (const { place, key } of followers)
    clients.push(
      ...(await Promise.all(
        queriesOf(place).map((query) =>
          openClient(origin, `/api/trackers/${ids.tracker}/artifacts/live?${query}`, key),
        ),
      )),
    )
  return clients
}

/** The delay of each frame with a written version; frames that precede the response to the writer have none. */
function delaysOf(written: readonly TimedWrite[], clients: readonly LiveClient[]) {
  const writes = new Map(written.map((write) => [`${write.id} ${write.v}`, write]))
  return clients.flatMap(({ arrived }) =>
    arrived.flatMap(({ at, data: { id, v } }) => {
      const write = writes.get(`${id} ${v}`)
      return write ? [{ answered: Math.max(0, at - write.answered), sent: at - write.sent }] : []
    }),
  )
}

function quantilesOf(values: readonly number[]) {
  const inOrder = sorted(values)
  const at = (share: number) => round(quantile(inOrder, share))
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

async function readMeanwhile(origin: string, key: string, seconds: number): Promise<number[]> {
  const { hostname, port } = new URL(origin)
  const connection = await HttpConnection.open(hostname, Number(port))
  const times: number[] = []
  for (let turn = 0; turn < seconds * 10; turn++) {
    const began = performance.now()
    await connection.send('GET', `/api/artifacts/${1 + ((turn * 7919) % 10_000)}`, `X-Auth-AccessKey: ${key}\r\n`)
    times.push(performance.now() - began)
    await pause(Math.max(0, 100 - (performance.now() - began)))
  }
  connection.end()
  return times
}

async function compareAll(origin: string, clients: readonly LiveClient[]): Promise<boolean> {
  let wrong = 0
  for (const { path, key, rows, isOver } of clients) {
    const answer = await fetch(new URL(path.replace('/live?', '?'), origin), { headers: { 'x-auth-accesskey': key } })
    const listed: { id: number }[] = JSON.parse(await answer.text())
    const isSame =
      !isOver() &&
      rows.size === Number(answer.headers.get('x-pagination-size')) &&
      listed.map(({ id }) => id).join() === rows.ids.join()
    if (isSame) continue
    wrong++
    if (wrong <= 3) print(`${decodeURIComponent(path)} has ${rows.size} ${rows.ids.slice(0, 10).join()}, not the list`)
  }
  return wrong === 0
}

/** Half of them follow the feed, half a query. */
async function measureIdle(cluster: Cluster, server: ServerProcess, people: number) {
  const { origin } = server.api
  const followers = await giveKeys(
    cluster,
    Array.from({ length: people }, (_, at) => 260 + at),
  )
  const live = `/api/trackers/${cluster.ids.tracker}/artifacts/live?order=desc`
  const first = await openClient(origin, live, (await giveKeys(cluster, [0]))[0]?.key ?? '') // Excludes the fixed cost of the first stream.
  await pause(1000)
  const before = await memoryOf(server.pid)
  const clients: LiveClient[] = []
  for (const { key } of followers)
    clients.push(
      ...(await Promise.all(
        Array.from({ length: STREAMS_PER_ACCOUNT }, (_, at) =>
          at % 2 === 0 ? openClient(origin, '/api/events', key, true) : openClient(origin, live, key),
        ),
      )),
    )
  await pause(Math.min(20_000, people * 100))
  const growth = (await memoryOf(server.pid)) - before
  const open = clients.filter(({ isOver }) => !isOver()).length
  for (const client of [first, ...clients]) client.close()
  return { streams: open, memory_growth: Math.round(growth / MB) }
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}
