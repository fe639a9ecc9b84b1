import { readFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/database/db.ts'
import { answerTo } from '../harness/client.ts'
import { createTestDatabase } from '../harness/database.ts'
import { MARA, OLGA, type TestPerson, TOM, UMA } from '../fixtures/people.ts'
import { seed } from '../fixtures/seed.ts'
import { startServerProcess } from '../harness/server-process.ts'
import { attach, makeFileTracker, uploadTestFile } from '../fixtures/uploads.ts'

// F43: many clients download large files over very slow connections.
const PEOPLE = [TOM, MARA, OLGA, UMA]
const READERS_PER_PERSON = 50
const FILE_SIZE_BYTES = 16 * 1024 * 1024
/** The data in flight per reader. */
const MAX_MEMORY_PER_READER_BYTES = 1024 * 1024

const database = await createTestDatabase()
const owner = openDatabase({ connectionString: database.ownerUrl })
const server = await startServerProcess({ WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'error' })
const { api } = server
beforeAll(() => seed(owner))
afterAll(async () => {
  await server.stop()
  await owner.destroy()
})

const memory = async () =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1024
const connectionsAtWork = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and usename = 'waypost_app' and state <> 'idle'`.execute(owner)
  return rows[0]?.count
}
/** Reads the head of a response and stops reading. */
const stall = async (path: string, { key }: TestPerson = TOM): Promise<IncomingMessage> => {
  const outgoing = get(`${api.origin}${path}`, { headers: { 'x-auth-accesskey': key }, agent: false })
  const incoming = await answerTo(outgoing)
  incoming.pause()
  return incoming
}

test('slow readers hold neither memory nor a database connection, and delay no other request', {
  timeout: 240_000,
}, async () => {
  const tracker = await makeFileTracker(api)
  const id = await uploadTestFile(api, tracker.field('papers'), Buffer.alloc(FILE_SIZE_BYTES, 'x'))
  await attach(api, tracker, [id])
  const path = `/files/${id}/papers.txt`
  await (await stall(path)).toArray() // Warms up the caches of a first download.
  const before = await memory()
  const readers: IncomingMessage[] = []
  for (let turn = 0; turn < READERS_PER_PERSON; turn++)
    readers.push(...(await Promise.all(PEOPLE.map((person) => stall(path, person)))))
  try {
    expect(Map.groupBy(readers, ({ statusCode }) => statusCode).get(200)).toHaveLength(
      PEOPLE.length * READERS_PER_PERSON,
    )
    await expect.poll(connectionsAtWork).toBe(0)
    expect((await memory()) - before).toBeLessThan(readers.length * MAX_MEMORY_PER_READER_BYTES)
    expect((await api.get('/users/self', { as: TOM })).status).toBe(200)
  } finally {
    for (const reader of readers) reader.destroy()
  }
})
