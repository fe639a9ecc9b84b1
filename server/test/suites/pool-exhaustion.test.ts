import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { poolState } from '../../src/platform/database/db.ts'
import { startWorld } from '../harness/start-world.ts'
import { TOM } from '../fixtures/people.ts'
import { refused } from '../harness/refused.ts'

// F17: all connections of the server are busy for longer than the acquire timeout.
const { api, context } = await startWorld()

test('a request without a free connection fails after two seconds, and succeeds when there is one', async () => {
  const pool = context.config.WAYPOST_DATABASE_POOL
  const long = Promise.all(Array.from({ length: pool }, () => sql`select pg_sleep(4)`.execute(context.db)))
  await expect.poll(() => poolState(context.db).busy).toBe(pool)

  const began = performance.now()
  const crowd = Promise.all([api.get('/users/self', { as: TOM }), api.get('/projects', { as: TOM })])
  expect((await api.get('/healthz')).status).toBe(200)
  const healthy = performance.now() - began
  const answers = await crowd
  const waited = performance.now() - began

  for (const answer of answers) {
    expect(answer).toMatchObject(refused(503, 'unavailable'))
    expect(answer.headers['retry-after']).toMatch(/^\d+$/)
  }
  expect(waited).toBeGreaterThan(1900)
  expect(healthy).toBeLessThan(waited / 2)
  await long
  expect((await api.get('/users/self', { as: TOM })).status).toBe(200)
})
