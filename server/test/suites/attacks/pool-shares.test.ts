import { sql } from 'kysely'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { poolState } from '../../../src/platform/database/db.ts'
import { readRoute } from '../../../src/platform/http/route.ts'
import { ROUTES } from '../../../src/routes.ts'
import { createTestClient, type RequestOptions } from '../../harness/client.ts'
import { startWorld } from '../../harness/start-world.ts'
import { ADA, MARA, OLGA, TOM, UMA } from '../../fixtures/people.ts'
import { exchangeRaw } from './raw-socket.ts'

const REQUESTS_IN_FLIGHT = 64

const sleep = readRoute({
  method: 'GET',
  path: '/sleeps',
  operationId: 'listSleeps',
  summary: 'Hold a connection for a while.',
  access: 'everyone',
  pages: 'whole',
  answer: Type.Array(Type.Object({ id: Type.Integer() }, { title: 'Sleep' })),
  async handle({ context: { db } }) {
    await sql`select pg_sleep(1.5)`.execute(db)
    return { body: [], size: 0 }
  },
})
const { api, context } = await startWorld({ routes: [...ROUTES, sleep], seedOnce: true })
const PEOPLE = [MARA, OLGA, ADA, UMA]

test(
  'P05 one account with the maximum of slow requests leaves connections for others',
  {
    timeout: 240_000,
  },
  () => expectOthersServed({ as: TOM }),
)

test(
  'P06 one anonymous address with the maximum of slow requests leaves connections for others',
  {
    timeout: 240_000,
  },
  () => expectOthersServed({}),
)

test('L11 a long anonymous body is refused by its length, without a connection', async () => {
  for (const as of [TOM, MARA]) expect((await api.get('/users/self', { as })).status).toBe(200)
  const crowd = createTestClient(api.origin)
  const slow = [TOM, MARA].flatMap((as) => Array.from({ length: 8 }, () => crowd.get('/sleeps', { as })))
  await expect.poll(() => poolState(context.db), { interval: 10 }).toMatchObject({ busy: 8 })

  const { answers, took } = await exchangeRaw(
    api.origin,
    'POST /api/password_resets HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 8000000\r\n\r\n',
  )
  expect(answers.map(({ status }) => status)).toEqual([413])
  expect(took).toBeLessThan(10_000)
  expect(poolState(context.db).busy).toBe(8)
  await Promise.all(slow)
})

async function expectOthersServed(hostile: RequestOptions): Promise<void> {
  for (const as of PEOPLE) expect((await api.get('/users/self', { as })).status).toBe(200)
  const crowd = createTestClient(api.origin)
  const slow = Promise.all(Array.from({ length: REQUESTS_IN_FLIGHT }, () => crowd.get('/sleeps', hostile)))
  await expect.poll(() => poolState(context.db).waiting, { interval: 10 }).toBeGreaterThan(4)

  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(PEOPLE.map((as) => api.get('/users/self', { as })))
    expect(answers.map(({ status }) => status)).toEqual(PEOPLE.map(() => 200))
  }
  expect((await api.get('/readyz')).status).toBe(200)
  await slow
}
