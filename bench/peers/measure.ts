import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { PeerLoadOrder, PeerLoadOutcome } from './load.ts'
import type { Peer, PeerOperation } from './requests.ts'

/** A running server with its data. */
export interface Served {
  readonly peer: Peer
  readonly port: number
  readonly pid: number
  readonly databasePid: number
}

const LOAD = fileURLToPath(new URL('load.ts', import.meta.url))
const CONNECTIONS = 8
/** No two rounds draw the same objects. */
const TURNS_PER_ROUND = 1_000_000

/** Sends one kind of request for some seconds, from a process of its own. */
export async function measurePeer(
  served: Served,
  operation: PeerOperation,
  { seconds, round }: { readonly seconds: number; readonly round: number },
): Promise<PeerLoadOutcome> {
  const { peer, port, pid: serverProcess, databasePid: databaseProcess } = served
  const pace = { connections: CONNECTIONS, warmUp: seconds, seconds, firstTurn: round * TURNS_PER_ROUND }
  const order: PeerLoadOrder = { peer, port, operation, ...pace, serverProcess, databaseProcess }
  const child = spawn(process.execPath, [LOAD], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  child.stdin.end(JSON.stringify(order))
  const written = await text(child.stdout)
  await ended
  if (child.exitCode !== 0) throw new Error(`The load generator failed for ${peer.name}, ${operation}.`)
  return JSON.parse(written)
}
