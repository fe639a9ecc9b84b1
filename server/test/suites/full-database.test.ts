import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client as PostgresClient } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createContext } from '../../src/context.ts'
import { createRolesAndDatabase, startPostgres, unprivilegedUser } from '../../src/platform/database/local-postgres.ts'
import { auditArtifacts } from '../harness/auditor.ts'
import type { TestClient } from '../harness/client.ts'
import { makeTestTracker } from '../fixtures/every-field.ts'
import { removeFilesOf } from '../harness/storage-settings.ts'
import { testConfig } from '../harness/start-world.ts'
import { MARA, TOM } from '../fixtures/people.ts'
import { prepareDatabase } from '../harness/prepare-database.ts'
import { refused } from '../harness/refused.ts'
import { startServerProcess } from '../harness/server-process.ts'
import { mountSmallDisk, type SmallDisk } from '../peers/small-disk.ts'
import { closePools } from '../../src/platform/database/pools.ts'

// F20: the disk of the database or of its WAL is full. Both are small disks in memory, which only root can mount.
const isRoot = process.getuid?.() === 0
const SLOW = { timeout: 240_000 }
const elements = ['string', 'text'].map((type) => ({ name: `a_${type}`, label: type, type }))
const NOTES = { label: 'Notes', item_name: 'note', elements, permissions: { full: ['@anonymous'] } }

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-full-'))
  await chmod(folder, 0o711)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function mountDisk(folder: string, megabytes: number): SmallDisk {
  const disk = mountSmallDisk(folder, megabytes)
  if (!disk) throw new Error('No disk can be mounted here.')
  onTestFinished(() => disk.unmount())
  return disk
}

/** Migrated and seeded; ends with the test. */
async function startCluster(folder: string) {
  const places = { data: join(folder, 'data'), socket: join(folder, 'socket'), durable: true }
  let cluster = await startPostgres(places)
  onTestFinished(() => cluster.kill())
  const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: cluster.host, database: 'full' })
  await prepareDatabase(ownerUrl)
  const owner = await createContext(testConfig({ WAYPOST_DATABASE_URL: ownerUrl }))
  onTestFinished(() => closePools(owner.pools))
  return {
    host: cluster.host,
    appUrl,
    owner,
    stop: () => cluster.stop(),
    startAgain: async () => {
      await cluster.kill()
      cluster = await startPostgres(places)
    },
  }
}

async function startServer(appUrl: string) {
  const server = await startServerProcess({ WAYPOST_DATABASE_URL: appUrl, WAYPOST_LOG_LEVEL: 'fatal' })
  onTestFinished(async () => {
    await server.stop('SIGKILL')
    await removeFilesOf(appUrl)
  })
  const { api } = server
  return { api, tracker: await makeTestTracker(api, NOTES) }
}

const note = (api: TestClient, tracker: { readonly id: number }, summary: string, length: number) => {
  const details = randomBytes(length / 2).toString('hex')
  return api.post('/artifacts', {
    as: MARA,
    headers: { 'idempotency-key': summary },
    body: { tracker: { id: tracker.id }, values_by_field: { a_string: summary, a_text: details } },
  })
}

test.runIf(isRoot)('a full disk of the database refuses writes, but no reads (as root)', SLOW, async () => {
  const folder = await newFolder()
  const disk = mountDisk(folder, 256)
  const { appUrl, owner } = await startCluster(folder)
  const { api, tracker } = await startServer(appUrl)
  expect((await note(api, tracker, 'before', 50_000)).status).toBe(201)

  await disk.fill()
  for (let turn = 0; turn < 5; turn++) {
    const answer = await note(api, tracker, `full-${turn}`, 50_000)
    expect(answer).toMatchObject(refused(503, 'unavailable'))
    expect(answer.headers['retry-after']).toMatch(/^\d+$/)
  }
  expect((await api.get('/users/self', { as: TOM })).status).toBe(200)
  await disk.empty()

  expect((await note(api, tracker, 'full-0', 50_000)).status).toBe(201)
  expect(await auditArtifacts(owner, owner.db)).toEqual([])
})

test.runIf(isRoot)('a full disk of the WAL ends PostgreSQL, and loses nothing (as root)', SLOW, async () => {
  const folder = await newFolder()
  const { host, appUrl, owner, stop, startAgain } = await startCluster(folder)
  await stop()
  const disk = await moveLog(folder)
  await startAgain()
  const { api, tracker } = await startServer(appUrl)

  await disk.fill()
  const acknowledged = new Map<string, number>()
  const others = new Set<string>()
  const over = new AbortController()
  const write = async (writer: number) => {
    for (let turn = 0; !over.signal.aborted; turn++) {
      const summary = `${writer}-${turn}`
      const answer = await note(api, tracker, summary, 2000)
      if (answer.status === 201) acknowledged.set(summary, answer.json.id)
      else others.add(`${answer.status} ${answer.headers['retry-after'] === undefined ? 'for ever' : 'for now'}`)
      if (answer.status !== 201) await pause(100)
    }
  }
  const writers = Promise.all([1, 2, 3].map(write))
  await untilLogIsFull(host)
  await expect.poll(() => others.size).toBeGreaterThan(0)
  await disk.empty()
  await startAgain()
  const before = acknowledged.size
  await expect.poll(() => acknowledged.size).toBeGreaterThan(before)
  over.abort()
  await writers

  expect([...others]).toEqual(['503 for now'])
  for (const [summary, id] of acknowledged) {
    const { json } = await api.get(`/artifacts/${id}?values_format=by_field`, { as: MARA })
    expect(json.values_by_field.a_string.value).toBe(summary)
  }
  expect(await auditArtifacts(owner, owner.db)).toEqual([])
})

/** Moves the WAL of a stopped cluster to its own disk. */
async function moveLog(folder: string) {
  const [log, place] = [join(folder, 'data', 'pg_wal'), join(folder, 'wal')]
  const user = await unprivilegedUser()
  await mkdir(place)
  const disk = mountDisk(place, 192)
  const moved = join(place, 'pg_wal')
  await cp(log, moved, { recursive: true })
  if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, moved])
  await rm(log, { recursive: true })
  await symlink(moved, log)
  if (user) await chown(place, user.uid, user.gid)
  return disk
}

/** Switches WAL segments until there is no room for the next. */
async function untilLogIsFull(host: string): Promise<void> {
  const begin = `select pg_logical_emit_message(false, 'waypost', 'x'), pg_switch_wal()`
  const client = new PostgresClient({ host, user: 'postgres', database: 'postgres' })
  client.on('error', () => {}) // The statement reports the error.
  await client.connect()
  for (let segments = 0; segments < 40; segments++)
    try {
      await client.query(begin)
    } catch {
      return
    }
  throw new Error('There was room for 40 segments.')
}
