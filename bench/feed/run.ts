import { print } from '../../server/src/commands/print.ts'
import { openCluster } from '../artifacts/cluster.ts'
import { deleteCreatedArtifacts } from '../artifacts/measure.ts'
import { type HandoverFigure, measureHandovers } from './handovers.ts'
import { type HeldFigure, measureHeldTransactions } from './held-transactions.ts'

export interface FeedOptions {
  readonly data: string
  /** How long the transactions stay open. */
  readonly seconds: number
  readonly handovers: number
  readonly writesPerSecond: number
}

export interface FeedFigures {
  readonly held: HeldFigure
  readonly handovers: HandoverFigure
}

const SIZE = 10_000
export const MAX_FEED_P95_MS = 150

/** The feed beside transactions that stay open, and while the sequencing server changes. */
export async function measureFeed({ data, ...options }: FeedOptions): Promise<FeedFigures> {
  const cluster = await openCluster(SIZE, data)
  try {
    const held = await measureHeldTransactions(cluster, options)
    print(`held transactions: ${JSON.stringify(held)}`)
    const handovers = await measureHandovers(cluster, options)
    print(`hand-overs: ${JSON.stringify(handovers)}`)
    return { held, handovers }
  } finally {
    await deleteCreatedArtifacts(cluster)
    await cluster.stop()
  }
}

/** Every event once and in order, and the held one only after its commit. */
export function isFeedRight({ held, handovers }: FeedFigures): boolean {
  const faults = [held, handovers].reduce((sum, each) => sum + each.skipped + each.repeated + each.swapped, 0)
  return faults === 0 && held.received === held.writes && !held.held_arrived_early && held.held_arrived_late
}
