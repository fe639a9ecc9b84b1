import { setTimeout as pause } from 'node:timers/promises'
import { HttpConnection } from './http-connection.ts'
import { type Caller, createCallers, type BenchTarget } from './operations.ts'
import { quantile, sorted } from '../quantiles.ts'
import { watchProcessors } from './processor-time.ts'
import { warmUpLoad } from '../warm-up.ts'

/** The input of a load generator, on standard input. */
export interface LoadOrder extends BenchTarget {
  readonly host: string
  readonly port: number
  readonly connections: number
  /** The maximum seconds of warm-up. */
  readonly warmUp: number
  readonly seconds: number
  /** Requests per second of an open loop; absent: a closed loop. */
  readonly rate?: number
  /** Processes whose CPU usage is measured. */
  readonly serverProcess: number
  readonly databaseProcess: number
}

/** The output of a load generator. */
export interface LoadOutcome {
  readonly requests: number
  readonly perSecond: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  /** CPU usage in processors; null if unknown. */
  readonly server: number | null
  readonly database: number | null
  /** CPU time per request, in ms. */
  readonly serverMs: number | null
  readonly databaseMs: number | null
  /** False if the rate was still changing at the end of the warm-up. */
  readonly isStable: boolean
}

/** Closed loop: each caller sends the next request after its response. */
async function closedLoop(callers: readonly Caller[], seconds: number): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  await Promise.all(
    callers.map(async (call) => {
      for (let before = performance.now(); before < end; ) {
        await call()
        const after = performance.now()
        times.push(after - before)
        before = after
      }
    }),
  )
  return times
}

/** Open loop: requests start on schedule, and latency includes the wait for a free caller. */
async function openLoop(callers: readonly Caller[], seconds: number, rate: number): Promise<number[]> {
  const times: number[] = []
  const began = performance.now()
  const total = Math.floor(rate * seconds)
  let next = 0
  await Promise.all(
    callers.map(async (call) => {
      for (let at = next++; at < total; at = next++) {
        const due = began + (at * 1000) / rate
        const early = due - performance.now()
        if (early > 1) await pause(early)
        await call()
        times.push(performance.now() - due)
      }
    }),
  )
  return times
}

/** Requests per second of a closed loop. */
async function rateOfLoop(length: number): Promise<number> {
  const from = performance.now()
  const answered = await closedLoop(callers, length)
  return (1000 * answered.length) / (performance.now() - from)
}

async function readOrder(): Promise<LoadOrder> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return JSON.parse(Buffer.concat(chunks).toString())
}

const order = await readOrder()
const connections = await Promise.all(
  Array.from({ length: order.connections }, () => HttpConnection.open(order.host, order.port)),
)
const callers = await createCallers(order, connections)
const { isStable } = await warmUpLoad(rateOfLoop, order.warmUp)
const shares = await watchProcessors([order.serverProcess, order.databaseProcess])
const from = Date.now()
const times =
  order.rate === undefined
    ? await closedLoop(callers, order.seconds)
    : await openLoop(callers, order.seconds, order.rate)
const seconds = (Date.now() - from) / 1000
const [server = null, database = null] = await shares()
for (const connection of connections) connection.end()
const inOrder = sorted(times)
const perSecond = times.length / seconds
const perRequest = (processors: number | null) => (processors === null ? null : (1000 * processors) / perSecond)
const outcome: LoadOutcome = {
  requests: times.length,
  perSecond,
  p50: quantile(inOrder, 0.5),
  p95: quantile(inOrder, 0.95),
  p99: quantile(inOrder, 0.99),
  server,
  database,
  serverMs: perRequest(server),
  databaseMs: perRequest(database),
  isStable,
}
process.stdout.write(JSON.stringify(outcome))
