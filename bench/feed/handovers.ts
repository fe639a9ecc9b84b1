import { setTimeout as pause } from 'node:timers/promises'
import type { ServerProcess } from '../../server/test/harness/server-process.ts'
import type { Cluster } from '../artifacts/cluster.ts'
import { benchAccessKey } from '../artifacts/keys.ts'
import { startMeasured } from '../artifacts/server.ts'
import { writeEvenly } from '../live/write-load.ts'
import { type FeedFaults, findFeedFaults, readSequenced } from './check-feed.ts'
import { type FeedFollower, followArtifactEvents, positionIn, fetchFeedEnd } from './follow-feed.ts'

export interface HandoverFigure extends FeedFaults {
  readonly handovers: number
  readonly kills: number
  readonly writes: number
  readonly events: number
}

/** Every tenth hand-over kills the sequencing server, the others pause it (SIGSTOP). */
const KILL_EVERY = 10
/** The other server has to tell this many events before the next hand-over. */
const EVENTS_PER_HANDOVER = 3
const HANDOVER_TIMEOUT_MS = 60_000

interface Sequencer {
  server: ServerProcess
  readonly follower: FeedFollower
}

/** Two servers with readers take turns as the only one that can sequence, while a third one writes. */
export async function measureHandovers(
  cluster: Cluster,
  { handovers, writesPerSecond }: { readonly handovers: number; readonly writesPerSecond: number },
): Promise<HandoverFigure> {
  const writer = await startMeasured(cluster.appUrl)
  const sequencers: Sequencer[] = []
  try {
    const key = benchAccessKey('admin')
    const after = await fetchFeedEnd(writer.api.origin, key)
    for (let at = 0; at < 2; at++) sequencers.push(await startSequencer(cluster, key, after))
    const [one, other] = sequencers
    if (!one || !other) throw new Error('Two servers are needed.')
    const over = new AbortController()
    const { origin } = writer.api
    const written = writeUntil(over.signal, { origin, key, cluster, writesPerSecond })
    let kills = 0
    for (let turn = 0; turn < handovers; turn++) {
      const [resting, working] = turn % 2 === 0 ? [one, other] : [other, one]
      const isKill = turn % KILL_EVERY === KILL_EVERY - 1
      if (isKill) kills++
      process.kill(resting.server.pid, isKill ? 'SIGKILL' : 'SIGSTOP')
      await untilMore(working.follower)
      if (isKill) resting.server = await startMeasured(cluster.appUrl)
      else process.kill(resting.server.pid, 'SIGCONT')
    }
    over.abort()
    const writes = await written
    for (const { follower } of sequencers) await untilCount(follower, writes)
    const stored = await readSequenced(cluster.appUrl, positionIn(after))
    const faults = findFeedFaults(
      stored,
      sequencers.map(({ follower }) => follower.arrived),
    )
    return { ...faults, handovers, kills, writes, events: stored.events.length }
  } finally {
    for (const { server, follower } of sequencers) {
      follower.stop()
      await server.stop('SIGKILL')
    }
    await writer.stop()
  }
}

async function startSequencer(cluster: Cluster, key: string, after: string): Promise<Sequencer> {
  const sequencer = { server: await startMeasured(cluster.appUrl) }
  const origin = () => sequencer.server.api.origin
  const follower = followArtifactEvents({ origin, key, tracker: cluster.ids.tracker, after })
  return Object.assign(sequencer, { follower })
}

interface WriteLoad {
  readonly origin: string
  readonly key: string
  readonly cluster: Cluster
  readonly writesPerSecond: number
}

/** Returns the number of writes. */
async function writeUntil(signal: AbortSignal, { origin, key, cluster, writesPerSecond }: WriteLoad): Promise<number> {
  const load = { origin, key, ids: cluster.ids, size: cluster.size, clients: [], aSecond: writesPerSecond, seconds: 1 }
  let writes = 0
  for (let seed = Date.now(); !signal.aborted; seed++) writes += (await writeEvenly({ ...load, seed })).length
  return writes
}

function untilMore(follower: FeedFollower): Promise<void> {
  return untilCount(follower, follower.arrived.length + EVENTS_PER_HANDOVER)
}

async function untilCount({ arrived }: FeedFollower, count: number): Promise<void> {
  const end = performance.now() + HANDOVER_TIMEOUT_MS
  while (arrived.length < count && performance.now() < end) await pause(5)
}
