import { expect, test } from 'vitest'
import { openDatabase } from '../src/platform/database/db.ts'
import { createTestDatabase } from './database.ts'
import { killReaders } from './feed-kills/feed-kills.ts'
import { seed } from './seed.ts'

// `npm run feed:kills` does the same with more changes.
const [database, effects] = [await createTestDatabase(), await createTestDatabase('empty')]

test('whoever is killed, nothing that happens is missed, and nothing is told twice', { timeout: 180_000 }, async () => {
  const db = openDatabase({ connectionString: database.ownerUrl, max: 2 })
  await seed(db)
  const killing = { db, appUrl: database.appUrl, effectsUrl: effects.ownerUrl }
  const figures = await killReaders({ ...killing, changes: 20, writers: 3, pauses: 6000, seed: '1' })
  await db.destroy()
  expect(figures.changes).toBeGreaterThanOrEqual(20)
  expect(figures.events).toBeGreaterThanOrEqual(figures.changes)
  expect(figures.delivered).toBe(figures.changes)
})
