import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createContext } from '../../context.ts'
import { closePools } from '../../platform/database/pools.ts'
import { auditArtifacts } from '../../../test/harness/auditor.ts'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { raceCreations, raceWithout, raceWithPrecondition, prepareRace } from '../../../test/suites/races/races.ts'
import { testConfig } from '../../../test/harness/start-world.ts'
import { seed } from '../../../test/fixtures/seed.ts'
import { startServerProcess } from '../../../test/harness/server-process.ts'

// `npm run races` runs the same with more rounds.
const [ROUNDS, WRITERS] = [20, 10]

const database = await createTestDatabase()
const context = await createContext(testConfig({ WAYPOST_DATABASE_URL: database.ownerUrl }))
const owner = context.db
const environment = { WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'error' }
const [one, other] = await Promise.all([startServerProcess(environment), startServerProcess(environment)])
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  await closePools(context.pools)
})

describe.each([
  { servers: 1, apis: [one.api] as const },
  { servers: 2, apis: [one.api, other.api] as const },
])('ten concurrent writers, with $servers server processes', ({ apis }) => {
  let track: Awaited<ReturnType<typeof prepareRace>>
  beforeAll(async () => {
    await seed(owner)
    track = await prepareRace({ apis, db: owner, rounds: ROUNDS, writers: WRITERS })
  })

  test.each(['etag', 'last-modified'] as const)('with one %s: one wins, nine are refused', async (by) => {
    const { statuses } = await raceWithPrecondition(track, by)
    expect(statuses).toEqual({ 200: ROUNDS, 412: ROUNDS * (WRITERS - 1) })
  })

  test('without a precondition: all succeed one after the other, each with their own fields', async () => {
    expect((await raceWithout(track)).statuses).toEqual({ 200: ROUNDS * WRITERS })
  })

  test('creations get numbers of their own, without gaps', async () => {
    expect((await raceCreations(track)).statuses).toEqual({ 201: ROUNDS * WRITERS })
  })

  test('the resulting rows are consistent', async () => {
    expect(await auditArtifacts(context, owner)).toEqual([])
  })
})
