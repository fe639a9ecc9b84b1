import { on } from 'node:events'
import { Client } from 'pg'
import type { LoadedArtifact } from '../artifacts/loading/artifact-rows.ts'
import { loadArtifacts } from '../artifacts/loading/load-artifacts.ts'
import { generateArtifact, type Ids } from './bench-data/generate-artifact.ts'
import { createContext } from '../context.ts'
import { toId } from '../platform/database/ids.ts'
import { readConfig } from '../platform/operation/config.ts'
import { loadTracker } from '../trackers/load-tracker.ts'
import { type Batch, ownerUrl } from './seed-artifacts.ts'
import { closePools } from '../platform/database/pools.ts'

// A child process that loads batches in order and reports each one.
const batches = on(process, 'message')
process.once('disconnect', () => process.exit())
const ids: Ids = JSON.parse(process.argv[2] ?? '')
const context = await createContext(readConfig(process.env))
const tracker = await loadTracker(context.db, toId(ids.tracker))
await closePools(context.pools)
if (!tracker) throw new Error('There is no tracker to fill.')
const target = { tracker, referenceKinds: context.referenceKinds }
const client = new Client({ connectionString: ownerUrl(process.env) })
await client.connect()
await client.query('set synchronous_commit = off')
for await (const [batch] of batches) {
  await loadArtifacts(client, target, firstIds(batch), generate(batch))
  process.send?.('stored')
}

/** The id of a generated artifact is its index from 1. */
function firstIds({ first, changesetId }: Batch): { artifactId: number; changesetId: number } {
  return { artifactId: first + 1, changesetId }
}

function* generate({ size, first, count }: Batch): Generator<LoadedArtifact> {
  for (let place = first; place < first + count; place++) yield generateArtifact(place, size, ids)
}
