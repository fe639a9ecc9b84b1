import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { DEFINITION } from '../../faults/content.ts'
import { startDriver } from '../../faults/driver.ts'
import { openJournal } from '../../faults/journal.ts'
import { judge } from '../../faults/judge.ts'
import { openDatabase } from '../src/platform/database/db.ts'
import type { Plant } from '../src/platform/operation/failpoints.ts'
import { createTestDatabase } from './database.ts'
import { makeTracker } from './every-field.ts'
import { seed } from './seed.ts'
import { startServerProcess } from './server-process.ts'

// The search for faults (`faults/`), small, finds those that were planted. `npm run faults -- --plant` does the same with
// each, at any size; `npm run faults:smoke` shows that it finds none where there is none.
const database = await createTestDatabase()
const folder = await mkdtemp(join(tmpdir(), 'waypost-planted-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const PATIENCE = 40_000

/** What is found until something is, or nothing in time. */
async function search(plant: Plant): Promise<string[]> {
  const db = openDatabase({ connectionString: database.ownerUrl, max: 1 })
  await seed(db)
  await db.destroy()
  const environment = { WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'fatal' }
  const server = await startServerProcess({ ...environment, WAYPOST_PLANT: plant }, true)
  const tracker = await makeTracker(server.api, DEFINITION)
  const journal = await openJournal(join(folder, `${plant}.ndjson`))
  const driver = startDriver({
    origins: [server.api.origin],
    tracker,
    journal,
    seed: plant,
    rate: 100,
    users: 30,
  })
  const look = async (isFinal: boolean) => {
    const verdict = await judge({ ownerUrl: database.ownerUrl, tracker, entries: [...journal.entries], isFinal })
    return [...Object.values(verdict).flat(), ...driver.complaints]
  }
  try {
    for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
      await pause(500)
      if (journal.entries.length > 100 && (await look(false)).length > 0) break
    }
    await driver.stop()
    return await look(true)
  } finally {
    await driver.stop()
    await server.stop('SIGKILL')
    await journal.close()
  }
}

const FOUND = [
  ['lost-write', /was acknowledged, and is nowhere|stands in/],
  ['stale-overwrite', /has overwritten one that its author had not seen/],
] as const
test.each(FOUND)('%s is found', { timeout: 90_000 }, async (plant, words) => {
  const problems = await search(plant)
  expect(problems.filter((each) => words.test(each))).not.toEqual([])
})
