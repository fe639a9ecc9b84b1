import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { type Cluster, openCluster } from '../../artifacts/cluster.ts'
import { createViewerKeys } from '../../artifacts/keys.ts'
import { deleteCreatedArtifacts } from '../../artifacts/measure.ts'
import { startMeasured } from '../../artifacts/server.ts'
import type { Served } from '../measure.ts'
import type { Waypost } from '../requests.ts'

/** The programs of one checkout. */
export interface VersionPrograms {
  readonly openCluster: typeof openCluster
  readonly startMeasured: typeof startMeasured
  readonly deleteCreatedArtifacts: typeof deleteCreatedArtifacts
}

export interface ServedVersion extends Served {
  readonly peer: Waypost
  /** Of all caches that the metrics name; 0 without any. */
  countCacheHits(): Promise<{ hits: number; misses: number }>
  stop(): Promise<void>
}

export function loadOwnPrograms(): VersionPrograms {
  return { openCluster, startMeasured, deleteCreatedArtifacts }
}

export async function loadOlderPrograms(checkout: string): Promise<VersionPrograms> {
  const load = (file: string) => import(pathToFileURL(join(checkout, 'bench/artifacts', file)).href)
  const [cluster, server, measure] = await Promise.all(['cluster.ts', 'server.ts', 'measure.ts'].map(load))
  // The function had another name until November 2026.
  return { ...cluster, ...server, deleteCreatedArtifacts: measure.deleteCreatedArtifacts ?? measure.tidy }
}

interface VersionOptions {
  readonly size: number
  readonly viewers: number
  /** The folder of its database. */
  readonly data: string
  readonly environment?: Record<string, string>
}

export async function startVersion(programs: VersionPrograms, options: VersionOptions): Promise<ServedVersion> {
  const { size, viewers, data, environment = {} } = options
  const cluster = await programs.openCluster(size, data)
  try {
    if (await hasCreatedArtifacts(cluster)) await programs.deleteCreatedArtifacts(cluster)
    await createViewerKeys(cluster.ownerUrl, cluster.ids, viewers)
    const server = await programs.startMeasured(cluster.appUrl, environment)
    return {
      peer: { name: 'waypost', ids: cluster.ids, size, viewers },
      port: Number(new URL(server.api.origin).port),
      pid: server.pid,
      databasePid: cluster.pid,
      countCacheHits: () => countCacheHits(server.api.origin),
      async stop() {
        await server.stop()
        await cluster.stop()
      },
    }
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

/** An earlier run with the same data has left them. */
async function hasCreatedArtifacts({ ownerUrl, size }: Cluster): Promise<boolean> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  const { rowCount } = await client.query('select from artifact where id > $1 limit 1', [size])
  await client.end()
  return rowCount !== 0
}

async function countCacheHits(origin: string): Promise<{ hits: number; misses: number }> {
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  const sum = (name: string) =>
    [...metrics.matchAll(new RegExp(`^waypost_\\w*cache_${name}_total(?:\\{[^}]*\\})? (\\d+)$`, 'gm'))].reduce(
      (total, [, count]) => total + Number(count),
      0,
    )
  return { hits: sum('hits'), misses: sum('misses') }
}
