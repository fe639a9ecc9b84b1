import { expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/database/db.ts'
import { createTestDatabase } from '../harness/database.ts'
import { killProcesses } from './feed-kills/feed-kills.ts'
import { seed } from '../fixtures/seed.ts'

// `npm run feed:kills` does the same with more changes.
const [database, effects] = [await createTestDatabase(), await createTestDatabase('empty')]

test('after kills of any process, no event is lost or reported twice', { timeout: 180_000 }, async () => {
  const db = openDatabase({ connectionString: database.ownerUrl, max: 2 })
  await seed(db)
  const killing = { db, appUrl: database.appUrl, effectsUrl: effects.ownerUrl }
  const figures = await killProcesses({ ...killing, changes: 20, writers: 3, pauses: 6000, seed: '1' })
  await db.destroy()
  expect(figures.changes).toBeGreaterThanOrEqual(20)
  expect(figures.events).toBeGreaterThanOrEqual(figures.changes)
  expect(figures.delivered).toBe(figures.changes)
})
