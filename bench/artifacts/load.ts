import { setTimeout as pause } from 'node:timers/promises'
import { HttpConnection } from './http-connection.ts'
import { type Caller, createCallers, type Target } from './operations.ts'
import { quantile, sorted } from '../quantiles.ts'
import { watchProcessors } from './processor-time.ts'

/** What a load generator is told on its standard input. */
export interface Order extends Target {
  readonly host: string
  readonly port: number
  readonly connections: number
  readonly warmUp: number
  readonly seconds: number
  /** Requests a second of an open loop; absent: a closed one. */
  readonly rate?: number
  /** Whose use of processors is told too. */
  readonly serverProcess: number
  readonly databaseProcess: number
}

/** What it answers with. */
export interface Outcome {
  readonly requests: number
  readonly perSecond: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  /** How much of one processor they used; null: that is not known here. */
  readonly server: number | null
  readonly database: number | null
}

/** Everybody asks again as soon as he has his answer. */
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

/** Requests come when they come, whether or not the one before is answered; who has to wait is counted with his wait. */
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

async function readOrder(): Promise<Order> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return JSON.parse(Buffer.concat(chunks).toString())
}

const order = await readOrder()
const connections = await Promise.all(
  Array.from({ length: order.connections }, () => HttpConnection.open(order.host, order.port)),
)
const callers = await createCallers(order, connections)
await closedLoop(callers, order.warmUp)
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
const outcome: Outcome = {
  requests: times.length,
  perSecond: times.length / seconds,
  p50: quantile(inOrder, 0.5),
  p95: quantile(inOrder, 0.95),
  p99: quantile(inOrder, 0.99),
  server,
  database,
}
process.stdout.write(JSON.stringify(outcome))
