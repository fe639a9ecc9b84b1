import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { FAULTS_TRACKER } from '../../../faults/content.ts'
import { startDriver } from '../../../faults/driver.ts'
import { openJournal } from '../../../faults/journal.ts'
import { judgeConsistency } from '../../../faults/judge.ts'
import { openDatabase } from '../../src/platform/database/db.ts'
import type { PlantedFault } from '../harness/planted-faults/plant.ts'
import { createTestDatabase } from '../harness/database.ts'
import { makeTestTracker } from '../fixtures/every-field.ts'
import { seed } from '../fixtures/seed.ts'
import { startServerProcess } from '../harness/server-process.ts'

// A small fault search (`faults/`) finds planted faults. `npm run faults -- --plant` does the same with each, at any
// size; `npm run faults:smoke` shows that it finds none without a plant.
const database = await createTestDatabase()
const folder = await mkdtemp(join(tmpdir(), 'waypost-planted-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const SEARCH_TIMEOUT_MS = 40_000

/** Searches until a fault is found, or the time is over. */
async function search(plant: PlantedFault): Promise<string[]> {
  const db = openDatabase({ connectionString: database.ownerUrl, max: 1 })
  await seed(db)
  await db.destroy()
  const environment = { WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'fatal' }
  const server = await startServerProcess({ ...environment, WAYPOST_PLANT: plant }, true)
  const tracker = await makeTestTracker(server.api, FAULTS_TRACKER)
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
    const verdict = await judgeConsistency({
      ownerUrl: database.ownerUrl,
      tracker,
      entries: [...journal.entries],
      isFinal,
    })
    return [...Object.values(verdict).flat(), ...driver.complaints]
  }
  try {
    for (const end = Date.now() + SEARCH_TIMEOUT_MS; Date.now() < end; ) {
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
test.each(FOUND)('%s is found', async (plant, words) => {
  const problems = await search(plant)
  expect(problems.filter((each) => words.test(each))).not.toEqual([])
})
