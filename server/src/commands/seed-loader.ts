import { on } from 'node:events'
import { Client } from 'pg'
import { loadBatch } from '../artifacts/seeding/load-artifacts.ts'
import type { Ids } from '../artifacts/seeding/make-artifact.ts'
import { createContext } from '../context.ts'
import { toId } from '../platform/database/ids.ts'
import { readConfig } from '../platform/operation/config.ts'
import { loadTracker } from '../trackers/load-tracker.ts'
import { ownerUrl } from './seed-artifacts.ts'

// A process of its own: it loads one batch after the other, and tells when each is stored.
const batches = on(process, 'message')
process.once('disconnect', () => process.exit())
const ids: Ids = JSON.parse(process.argv[2] ?? '')
const context = await createContext(readConfig(process.env))
const tracker = await loadTracker(context.db, toId(ids.tracker))
await context.db.destroy()
if (!tracker) throw new Error('There is no tracker to fill.')
const installed = { ids, tracker, referenceKinds: context.referenceKinds }
const client = new Client({ connectionString: ownerUrl(process.env) })
await client.connect()
await client.query('set synchronous_commit = off')
for await (const [batch] of batches) {
  await loadBatch(client, installed, batch)
  process.send?.('stored')
}
