import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { TOM } from '../../../test/people.ts'
import { ORCHARD } from '../../../test/places.ts'
import { seed } from '../../../test/seed.ts'
import { startServerProcess } from '../../../test/server-process.ts'
import { openDatabase } from '../database/db.ts'
import { drain } from './shutdown.ts'

const database = await createTestDatabase()
const db = openDatabase({ connectionString: database.ownerUrl })
await seed(db)
await db.destroy()
const environment = { WAYPOST_DATABASE_URL: database.appUrl }

describe('a process that is told to end', { timeout: 30_000 }, () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s finishes what runs, takes nothing new, and ends well',
    async (signal) => {
      const server = await startServerProcess(environment)
      const owner = new Client({ connectionString: database.ownerUrl })
      await owner.connect()
      await owner.query('begin; lock table project in access exclusive mode')
      const running = server.api.get(`/projects/${ORCHARD}`, { as: TOM })
      await pause(300)
      const ended = server.stop(signal)
      await pause(300)
      const refused = await fetch(`${server.api.origin}/healthz`).then(
        () => 'answered',
        () => 'refused',
      )
      await owner.query('rollback')
      await owner.end()

      expect((await running).status).toBe(200)
      expect(refused).toBe('refused')
      expect(await ended).toBe(0)
    },
  )

  test('ends well with a worker too', async () => {
    const server = await startServerProcess({ ...environment, WAYPOST_ROLES: 'api,worker' })

    expect(await server.stop()).toBe(0)
  })

  test('ends at once at the second signal', async () => {
    const server = await startServerProcess(environment)
    const owner = new Client({ connectionString: database.ownerUrl })
    await owner.connect()
    await owner.query('begin; lock table project in access exclusive mode')
    const running = server.api.get(`/projects/${ORCHARD}`, { as: TOM }).catch(() => 'cut off')
    await pause(300)
    void server.stop()
    await pause(100)

    expect(await server.stop()).toBe('SIGTERM')
    expect(await running).toBe('cut off')
    await owner.end()
  })
})

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
