import { HttpConnection } from '../artifacts/http-connection.ts'
import { watchProcessors } from '../artifacts/processor-time.ts'
import { quantile, sorted } from '../quantiles.ts'
import { warmUpLoad } from '../warm-up.ts'
import { createRequests, type Peer, type PeerOperation } from './requests.ts'

/** The input of this load generator, on standard input. */
export interface PeerLoadOrder {
  readonly peer: Peer
  readonly port: number
  readonly operation: PeerOperation
  readonly connections: number
  /** The maximum seconds of warm-up. */
  readonly warmUp: number
  readonly seconds: number
  /** The number of the first request: another one draws other objects. */
  readonly firstTurn: number
  /** Processes whose CPU usage is measured. */
  readonly serverProcess: number
  readonly databaseProcess: number
}

export interface PeerLoadOutcome {
  readonly perSecond: number
  readonly p50: number
  readonly p95: number
  /** CPU usage in processors; null if unknown. */
  readonly server: number | null
  readonly database: number | null
  readonly generator: number | null
  /** CPU time per request, in ms. */
  readonly serverMs: number | null
  readonly databaseMs: number | null
  readonly warmUpSeconds: number
  readonly isStable: boolean
}

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
const order: PeerLoadOrder = JSON.parse(Buffer.concat(chunks).toString())
const createRequest = createRequests(order.peer, order.operation)
let turn = order.firstTurn

const connections = await Promise.all(
  Array.from({ length: order.connections }, () => HttpConnection.open('127.0.0.1', order.port)),
)
const { seconds: warmUpSeconds, isStable } = await warmUpLoad(rateOfLoop, order.warmUp)
const shares = await watchProcessors([order.serverProcess, order.databaseProcess, process.pid])
const began = performance.now()
const times = sorted(await closedLoop(order.seconds))
const seconds = (performance.now() - began) / 1000
const [server = null, database = null, generator = null] = await shares()
for (const connection of connections) connection.end()
const perSecond = times.length / seconds
const perRequest = (processors: number | null) => (processors === null ? null : (1000 * processors) / perSecond)
const outcome: PeerLoadOutcome = {
  perSecond,
  p50: quantile(times, 0.5),
  p95: quantile(times, 0.95),
  server,
  database,
  generator,
  serverMs: perRequest(server),
  databaseMs: perRequest(database),
  warmUpSeconds,
  isStable,
}
process.stdout.write(JSON.stringify(outcome))

/** Requests per second. */
async function rateOfLoop(length: number): Promise<number> {
  const from = performance.now()
  const answered = await closedLoop(length)
  return (1000 * answered.length) / (performance.now() - from)
}

/** Closed loop: each caller sends the next request after its response, which must be correct. */
async function closedLoop(length: number): Promise<number[]> {
  const taken: number[] = []
  const end = performance.now() + length * 1000
  await Promise.all(
    connections.map(async (connection) => {
      for (let before = performance.now(); before < end; ) {
        const { method, path, headers, body, status, holds } = createRequest(turn++)
        const reply = await connection.send(method, path, headers, body)
        if (reply.status !== status || !reply.body.includes(holds))
          throw new Error(`${order.peer.name}: ${method} ${path}: ${reply.status} ${reply.body.slice(0, 500)}`)
        const after = performance.now()
        taken.push(after - before)
        before = after
      }
    }),
  )
  return taken
}
