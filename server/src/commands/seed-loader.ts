import { on } from 'node:events'
import { Client } from 'pg'
import { loadBatch } from '../artifacts/seeding/load-artifacts.ts'
import type { Ids } from '../artifacts/seeding/generate-artifact.ts'
import { createContext } from '../context.ts'
import { toId } from '../platform/database/ids.ts'
import { readConfig } from '../platform/operation/config.ts'
import { loadTracker } from '../trackers/load-tracker.ts'
import { ownerUrl } from './seed-artifacts.ts'
import { closePools } from '../platform/database/pools.ts'

// A child process that loads batches in order and reports each one.
const batches = on(process, 'message')
process.once('disconnect', () => process.exit())
const ids: Ids = JSON.parse(process.argv[2] ?? '')
const context = await createContext(readConfig(process.env))
const tracker = await loadTracker(context.db, toId(ids.tracker))
await closePools(context.pools)
if (!tracker) throw new Error('There is no tracker to fill.')
const installed = { ids, tracker, referenceKinds: context.referenceKinds }
const client = new Client({ connectionString: ownerUrl(process.env) })
await client.connect()
await client.query('set synchronous_commit = off')
for await (const [batch] of batches) {
  await loadBatch(client, installed, batch)
  process.send?.('stored')
}
