import { once } from 'node:events'
import Fastify from 'fastify'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { untilLockWaits } from '../../../test/harness/lock-waits.ts'
import { TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { seed } from '../../../test/fixtures/seed.ts'
import { startServerProcess } from '../../../test/harness/server-process.ts'
import { openDatabase } from '../database/db.ts'
import { drain } from './shutdown.ts'

const database = await createTestDatabase()
const db = openDatabase({ connectionString: database.ownerUrl })
await seed(db)
await db.destroy()
const environment = { WAYPOST_DATABASE_URL: database.appUrl }
const SHUTDOWN = { status: 'unavailable', obstacle: 'shutdown' }

describe('a process that gets a shutdown signal', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s finishes running requests, accepts no new ones, and exits with 0',
    async (signal) => {
      const server = await startServerProcess(environment)
      const owner = new Client({ connectionString: database.ownerUrl })
      await owner.connect()
      await owner.query('begin; lock table project in access exclusive mode')
      const running = server.api.get(`/projects/${ORCHARD}`, { as: TOM })
      await untilLockWaits(owner)
      const ended = server.stop(signal)
      await untilRefused(server.api.origin)
      await owner.query('rollback')
      await owner.end()

      expect((await running).status).toBe(200)
      expect(await ended).toBe(0)
    },
  )

  test('reports `shutdown` for WAYPOST_DRAIN_SECONDS, and serves until then', async () => {
    const server = await startServerProcess({ ...environment, WAYPOST_DRAIN_SECONDS: '6' })
    const began = Date.now()
    const ended = server.stop()
    await expect.poll(async () => (await server.api.get('/readyz')).json).toEqual(SHUTDOWN)
    expect((await server.api.get(`/projects/${ORCHARD}`, { as: TOM })).status).toBe(200)
    expect((await server.api.get('/readyz')).status).toBe(503)

    expect(await ended).toBe(0)
    expect(Date.now() - began).toBeGreaterThanOrEqual(6000)
  })

  test('ends at once on the second signal while it waits for load balancers', async () => {
    const server = await startServerProcess({ ...environment, WAYPOST_DRAIN_SECONDS: '300' })
    void server.stop()
    await expect.poll(async () => (await server.api.get('/readyz')).json).toEqual(SHUTDOWN)

    expect(await server.stop()).toBe('SIGTERM')
  })

  test('ends in an orderly way with a worker too', async () => {
    const server = await startServerProcess({ ...environment, WAYPOST_ROLES: 'api,worker' })

    expect(await server.stop()).toBe(0)
  })

  test('ends at once on the second signal', async () => {
    const server = await startServerProcess(environment)
    const owner = new Client({ connectionString: database.ownerUrl })
    await owner.connect()
    await owner.query('begin; lock table project in access exclusive mode')
    const running = server.api.get(`/projects/${ORCHARD}`, { as: TOM }).catch(() => 'cut off')
    await untilLockWaits(owner)
    void server.stop()
    await untilRefused(server.api.origin)

    expect(await server.stop()).toBe('SIGTERM')
    expect(await running).toBe('cut off')
    await owner.end()
  })
})

/** New connections are refused once the shutdown has begun. */
async function untilRefused(origin: string): Promise<void> {
  const isRefused = () =>
    fetch(`${origin}/healthz`).then(
      () => false,
      () => true,
    )
  await expect.poll(isRefused).toBe(true)
}

test('a request that takes too long is cut off', async () => {
  const server = Fastify({ forceCloseConnections: 'idle' })
  server.decorate('life', { isEnding: false })
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  server.get('/', async () => {
    begin()
    await once(process, 'never')
  })
  const answer = fetch(await server.listen({ port: 0 })).catch(() => 'cut off')
  await begun
  await drain(server, 100)

  expect(await answer).toBe('cut off')
  expect(server.life.isEnding).toBe(true)
})

test('a process with failpoints does not start in production', async () => {
  const started = startServerProcess({ ...environment, WAYPOST_ENVIRONMENT: 'production' }, true)

  await expect(started).rejects.toThrow('not in production')
})
