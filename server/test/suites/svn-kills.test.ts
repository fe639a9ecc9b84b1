import { expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/database/db.ts'
import { FAILPOINTS } from '../../src/platform/operation/failpoints.ts'
import { createTestDatabase } from '../harness/database.ts'
import { seed } from '../fixtures/seed.ts'
import { killSubversion } from './svn-kills/svn-kills.ts'

// `npm run svn:kills` does the same with more commits and kills.
const database = await createTestDatabase()

test('after kills of any process, every commit is one revision, and recorded once', { timeout: 300_000 }, async () => {
  const db = openDatabase({ connectionString: database.ownerUrl, max: 2 })
  await seed(db)
  await db.destroy()
  const few = { commits: 4, clients: 2, serverKills: 0, apacheKills: 1, seed: '1' }
  const figures = await killSubversion({ appUrl: database.appUrl, ...few })
  expect(figures.commits).toBeGreaterThanOrEqual(4)
  expect(figures.revisions).toBe(figures.commits + 1)
  const steps = FAILPOINTS.filter((name) => name.startsWith('svn.commit_') || /^svn\.(created|placed)$/.test(name))
  expect(figures.crashed.toSorted()).toEqual(steps.toSorted())
})
