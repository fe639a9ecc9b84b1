import { afterAll, describe, expect, test } from 'vitest'
import { createSignIn } from '../../../src/accounts/sign-in/sign-in.ts'
import { createContext } from '../../../src/context.ts'
import { WEB_PAGES } from '../../../src/pages.ts'
import { openDatabase } from '../../../src/platform/database/db.ts'
import { createServer } from '../../../src/platform/http/http.ts'
import { ROUTES } from '../../../src/routes.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { testConfig } from '../../harness/start-world.ts'
import { MARA } from '../../fixtures/people.ts'
import { BUGS } from '../../fixtures/seed-ids.ts'
import { readDescription } from './api-description.ts'
import { answerFaults } from './check-answer.ts'
import { type Breach, fuzz } from './fuzz.ts'
import { type FuzzWorld, reseed } from './fuzz-world.ts'
import { describeMemoryGrowth } from './memory.ts'
import { type PlantedBug, withPlantedBug } from './planted-bugs.ts'
import { createWireSender } from './send.ts'
import { createServerLog } from './server-log.ts'
import { createTally } from './tally.ts'
import { closePools } from '../../../src/platform/database/pools.ts'

const description = readDescription()
const database = await createTestDatabase('seeded')
const db = openDatabase({ connectionString: database.ownerUrl, max: 2 })
const context = await createContext(testConfig({ WAYPOST_DATABASE_URL: database.appUrl }))
const server = createServer(context, createSignIn(context), ROUTES, WEB_PAGES)
const sender = createWireSender(await server.listen({ port: 0, host: '127.0.0.1' }))
afterAll(async () => {
  sender.close()
  await server.close()
  await closePools(context.pools)
  await db.destroy()
})

/** Like the command, without mails and processes, which no plant needs. */
async function faultsWith(plant: PlantedBug): Promise<string[]> {
  const world: FuzzWorld = {
    sender: withPlantedBug(sender, plant),
    mails: { url: '', count: () => 0, take: () => [], stop: async () => {} },
    log: createServerLog(),
    db,
    reseed: () => reseed(db),
    hasEnded: () => undefined,
    memory: async () => 0,
    stop: async () => {},
  }
  const breaches: Breach[] = []
  const tally = createTally(description.operations)
  await fuzz({ world, description, tally, seed: 7, report: (breach) => breaches.push(breach) }, 0, 80)
  return breaches.flatMap(({ faults }) => faults)
}

// Found by seed 518583371.
test('a tracker that was reduced to its first bytes is returned as described', async () => {
  await reseed(db)
  const request = {
    method: 'GET',
    path: `/api/trackers/${BUGS}?max_bytes=4096`,
    headers: { 'X-Auth-AccessKey': MARA.key },
    body: undefined,
  }
  const answer = await sender.send(request)
  expect(JSON.parse(answer.text)).toHaveProperty('truncated')
  const meant = description.find('GET', `/trackers/${BUGS}`)
  expect(answerFaults(description, { request, answer, meant, expected: 'application/json' })).toEqual([])
})

describe('the fuzz finds', () => {
  test.each([
    ['leak', /was told the secret/],
    ['failure', /the status is 500/],
    ['shape', /the body does not fit/],
    ['insides', /tells of our insides: TypeError/],
    ['refusal', /the body does not fit/],
  ] as const)('a planted %s', async (plant, fault) => {
    const faults = await faultsWith(plant)
    expect(faults.filter((each) => fault.test(each))).not.toEqual([])
  })

  test('growing memory, and no other', () => {
    const run = (grow: (at: number) => number) => Array.from({ length: 40 }, (_, at) => grow(at))
    expect(describeMemoryGrowth(run((at) => 300 + 10 * at))).toMatch(/MiB in the last/)
    expect(describeMemoryGrowth(run((at) => (at < 8 ? 100 + 25 * at : 300 + 40 * (at % 2))))).toBeUndefined()
    expect(describeMemoryGrowth(run(() => 300))).toBeUndefined()
  })
})
