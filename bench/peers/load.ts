import { HttpConnection } from '../artifacts/http-connection.ts'
import { watchProcessors } from '../artifacts/processor-time.ts'
import { quantile, sorted } from '../quantiles.ts'
import { headersOf, type PeerOperation, type Peer, requestOf } from './requests.ts'

/** The input of this load generator, on standard input. */
export interface PeerLoadOrder {
  readonly peer: Peer
  readonly port: number
  readonly operation: PeerOperation
  readonly connections: number
  readonly warmUp: number
  readonly seconds: number
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
}

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
const order: PeerLoadOrder = JSON.parse(Buffer.concat(chunks).toString())
const headers = headersOf(order.peer)
let turn = process.pid * 1000

const connections = await Promise.all(
  Array.from({ length: order.connections }, () => HttpConnection.open('127.0.0.1', order.port)),
)
await closedLoop(order.warmUp)
const shares = await watchProcessors([order.serverProcess, order.databaseProcess, process.pid])
const began = performance.now()
const times = sorted(await closedLoop(order.seconds))
const seconds = (performance.now() - began) / 1000
const [server = null, database = null, generator = null] = await shares()
for (const connection of connections) connection.end()
const outcome: PeerLoadOutcome = {
  perSecond: times.length / seconds,
  p50: quantile(times, 0.5),
  p95: quantile(times, 0.95),
  server,
  database,
  generator,
}
process.stdout.write(JSON.stringify(outcome))

/** Closed loop: each caller sends the next request after its response, which must be correct. */
async function closedLoop(length: number): Promise<number[]> {
  const taken: number[] = []
  const end = performance.now() + length * 1000
  await Promise.all(
    connections.map(async (connection) => {
      for (let before = performance.now(); before < end; ) {
        const { method, path, body, status, holds } = requestOf(order.peer, order.operation, turn++)
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
