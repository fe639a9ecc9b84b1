import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../src/platform/database/db.ts'
import { createTestDatabase } from './database.ts'
import { TOM } from './people.ts'
import { ORCHARD } from './places.ts'
import { startServerProcess } from './server-process.ts'

// F07, F08, F09: a server that does not die of a signal, but has no memory left, forgets to catch a fault, or is stuck. A
// client of one that ends asks again, of the next.
const database = await createTestDatabase('seeded')
const owner = openDatabase({ connectionString: database.ownerUrl })
afterAll(() => owner.destroy())
const SLOW = { timeout: 60_000 }

async function started(more: Record<string, string> = {}) {
  const environment = { WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'fatal', ...more }
  const server = await startServerProcess(environment, 'WAYPOST_CRASH' in more)
  onTestFinished(() => void server.stop('SIGKILL'))
  return server
}

const creation = (shortname: string) => ({
  as: TOM,
  body: { shortname, label: shortname, is_public: true, template_id: 100 },
  headers: { 'idempotency-key': shortname },
})

async function projectsNamed(shortname: string): Promise<number> {
  const { rows } = await sql`select from project where shortname = ${shortname}`.execute(owner)
  return rows.length
}

test('out of memory, it ends at once, and what it had begun is done once by the next', SLOW, async () => {
  const asked = creation('out-of-memory')
  const sick = await started({ WAYPOST_CRASH: 'write.stored:1:exhaust', NODE_OPTIONS: '--max-old-space-size=192' })
  await expect(sick.api.post('/projects', asked)).rejects.toThrow(/hang up|ECONNRESET/)
  expect(await sick.ended).toBe('SIGABRT')
  expect(await projectsNamed('out-of-memory')).toBe(0)

  const { api } = await started()
  const answers = [await api.post('/projects', asked), await api.post('/projects', asked)]
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect(await projectsNamed('out-of-memory')).toBe(1)
})

test('with a fault that nobody caught, it finishes what others asked for, and ends', SLOW, async () => {
  const sick = await started({ WAYPOST_CRASH: 'write.committed:1:reject' })
  const other = new Client({ connectionString: database.ownerUrl })
  await other.connect()
  await other.query('begin; lock table project in access exclusive mode')
  const running = sick.api.get(`/projects/${ORCHARD}`, { as: TOM })
  await pause(300)
  const key = { description: 'Uncaught', scopes: ['write:rest'] }
  const { status } = await sick.api.post('/access_keys', { as: TOM, body: key })
  await pause(500)
  await other.query('rollback')
  await other.end()

  expect(status).toBe(201)
  expect((await running).status).toBe(200)
  expect(await sick.ended).toBe(1)
  expect(sick.output()).toContain('Nobody waits for this.')
})

test('stuck for longer than the database waits, it is not ready, and nothing is done twice', SLOW, async () => {
  const asked = creation('stuck')
  const [sick, sound] = [await started({ WAYPOST_CRASH: 'write.stored:1:block' }), await started()]
  const stuck = sick.api.post('/projects', asked)
  await pause(1000)
  const ready = (patience: number) => fetch(`${sick.api.origin}/readyz`, { signal: AbortSignal.timeout(patience) })
  await expect(ready(2000)).rejects.toThrow('timeout')
  expect((await sound.api.get('/users/self', { as: TOM })).status).toBe(200)

  expect((await stuck).status).toBe(503)
  expect((await ready(5000)).status).toBe(200)
  const answers = [await sound.api.post('/projects', asked), await sick.api.post('/projects', asked)]
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect(answers[1]?.text).toBe(answers[0]?.text)
  expect(await projectsNamed('stuck')).toBe(1)
})
