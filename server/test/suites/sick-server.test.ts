import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/platform/database/db.ts'
import { createTestDatabase } from '../harness/database.ts'
import { untilLockWaits } from '../harness/lock-waits.ts'
import { TOM } from '../fixtures/people.ts'
import { ORCHARD } from '../fixtures/seed-ids.ts'
import { startServerProcess } from '../harness/server-process.ts'

// F07, F08, F09: a server that is out of memory, has an uncaught exception, or hangs. Its clients retry with the next
// server.
const database = await createTestDatabase('seeded')
const owner = openDatabase({ connectionString: database.ownerUrl })
afterAll(() => owner.destroy())
const SLOW = { timeout: 240_000 }

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

test('out of memory, it exits at once, and its requests are applied once by the next server', SLOW, async () => {
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

test('with an uncaught exception, it finishes open requests, and exits', SLOW, async () => {
  const sick = await started({ WAYPOST_CRASH: 'write.committed:1:reject' })
  const other = new Client({ connectionString: database.ownerUrl })
  await other.connect()
  onTestFinished(() => other.end())
  await other.query('begin; lock table project in access exclusive mode')
  const running = sick.api.get(`/projects/${ORCHARD}`, { as: TOM })
  await untilLockWaits(other)
  const key = { description: 'Uncaught', scopes: ['write:rest'] }
  const { status } = await sick.api.post('/access_keys', { as: TOM, body: key })
  await expect.poll(() => sick.output()).toContain('A rejection without a handler.')
  await other.query('rollback')

  expect(status).toBe(201)
  expect((await running).status).toBe(200)
  expect(await sick.ended).toBe(1)
})

test('blocked for longer than the database waits, it is not ready, and nothing is applied twice', SLOW, async () => {
  const asked = creation('stuck')
  const [sick, sound] = [await started({ WAYPOST_CRASH: 'write.stored:1:block' }), await started()]
  const stuck = sick.api.post('/projects', asked)
  const ready = (timeoutMs: number) => fetch(`${sick.api.origin}/readyz`, { signal: AbortSignal.timeout(timeoutMs) })
  const outcome = () => ready(2000).then(({ status }) => status, String)
  await expect.poll(outcome).toContain('timeout')
  expect((await sound.api.get('/users/self', { as: TOM })).status).toBe(200)

  expect((await stuck).status).toBe(503)
  expect((await ready(5000)).status).toBe(200)
  const answers = [await sound.api.post('/projects', asked), await sick.api.post('/projects', asked)]
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect(answers[1]?.text).toBe(answers[0]?.text)
  expect(await projectsNamed('stuck')).toBe(1)
})
