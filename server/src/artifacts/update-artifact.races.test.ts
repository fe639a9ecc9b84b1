import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createContext } from '../context.ts'
import { auditArtifacts } from '../../test/auditor.ts'
import { createTestDatabase } from '../../test/database.ts'
import { raceCreations, raceWithout, raceWithPrecondition, setTrack } from '../../test/races/races.ts'
import { testConfig } from '../../test/harness.ts'
import { seed } from '../../test/seed.ts'
import { startServerProcess } from '../../test/server-process.ts'

// `npm run races` does the same with more rounds.
const [ROUNDS, WRITERS] = [20, 10]

const database = await createTestDatabase()
const context = await createContext(testConfig({ WAYPOST_DATABASE_URL: database.ownerUrl }))
const owner = context.db
const environment = { WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'error' }
const [one, other] = await Promise.all([startServerProcess(environment), startServerProcess(environment)])
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  await owner.destroy()
})

describe.each([
  { servers: 1, apis: [one.api] as const },
  { servers: 2, apis: [one.api, other.api] as const },
])('ten writers at once, before $servers server processes', { timeout: 120_000 }, ({ apis }) => {
  let track: Awaited<ReturnType<typeof setTrack>>
  beforeAll(async () => {
    await seed(owner)
    track = await setTrack({ apis, db: owner, rounds: ROUNDS, writers: WRITERS })
  })

  test.each(['etag', 'last-modified'] as const)('with one %s: one wins, nine are told', async (by) => {
    const { statuses } = await raceWithPrecondition(track, by)
    expect(statuses).toEqual({ 200: ROUNDS, 412: ROUNDS * (WRITERS - 1) })
  })

  test('without a precondition: all win, one after the other, each with his own fields', async () => {
    expect((await raceWithout(track)).statuses).toEqual({ 200: ROUNDS * WRITERS })
  })

  test('who create artifacts get numbers without a gap, in the order of their ids', async () => {
    expect((await raceCreations(track)).statuses).toEqual({ 201: ROUNDS * WRITERS })
  })

  test('what they leave behind fits together', async () => {
    expect(await auditArtifacts(context, owner)).toEqual([])
  })
})
