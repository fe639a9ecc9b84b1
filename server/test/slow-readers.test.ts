import { readFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../src/platform/database/db.ts'
import { answerTo } from './client.ts'
import { createTestDatabase } from './database.ts'
import { MARA, OLGA, type Person, TOM, UMA } from './people.ts'
import { seed } from './seed.ts'
import { startServerProcess } from './server-process.ts'
import { attach, makeFileTracker, upload } from './uploads.ts'

// F43: many people download large files over lines that hardly move.
const PEOPLE = [TOM, MARA, OLGA, UMA]
const EACH = 50
const FILE = 16 * 1024 * 1024
/** What is under way to one of them. */
const MOST_EACH = 1024 * 1024

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
/** Takes the head of an answer and what has come with it, and leaves the rest in the line. */
const stall = async (path: string, { key }: Person = TOM): Promise<IncomingMessage> => {
  const outgoing = get(`${api.origin}${path}`, { headers: { 'x-auth-accesskey': key }, agent: false })
  const incoming = await answerTo(outgoing)
  incoming.pause()
  return incoming
}

test('who reads slowly holds neither memory nor a connection of the database, and keeps nobody waiting', {
  timeout: 60_000,
}, async () => {
  const tracker = await makeFileTracker(api)
  const id = await upload(api, tracker.field('papers'), Buffer.alloc(FILE, 'x'))
  await attach(api, tracker, [id])
  const path = `/files/${id}/papers.txt`
  await (await stall(path)).toArray() // Whatever a first download loads is loaded.
  const before = await memory()
  const readers: IncomingMessage[] = []
  for (let turn = 0; turn < EACH; turn++)
    readers.push(...(await Promise.all(PEOPLE.map((person) => stall(path, person)))))
  try {
    expect(Map.groupBy(readers, ({ statusCode }) => statusCode).get(200)).toHaveLength(PEOPLE.length * EACH)
    await expect.poll(connectionsAtWork).toBe(0)
    expect((await memory()) - before).toBeLessThan(readers.length * MOST_EACH)
    expect((await api.get('/users/self', { as: TOM })).status).toBe(200)
  } finally {
    for (const reader of readers) reader.destroy()
  }
})
