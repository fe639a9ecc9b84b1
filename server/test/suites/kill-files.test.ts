import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { cleanFiles } from '../../src/files/clean-files.ts'
import type { FileId } from '../../src/files/file.ts'
import { openFile } from '../../src/files/open-file.ts'
import { sealFile } from '../../src/files/seal-file.ts'
import { contentKey } from '../../src/files/store/blob-store.ts'
import { FAILPOINTS, type Failpoint } from '../../src/platform/operation/failpoints.ts'
import { filesEnvironment } from '../harness/storage-settings.ts'
import { startWorld } from '../harness/start-world.ts'
import { startServerProcess } from '../harness/server-process.ts'
import { announced, blobsOf, emptyStore, storedFile, uploadsBy } from '../harness/temporary-files.ts'

// Processes are killed by SIGKILL at each step of the life of a file. Acknowledged data exists, the rest can be
// retried, and the clean-up removes leftovers.
const { api, context, clock } = await startWorld()
const tom = uploadsBy(api)
beforeEach(async () => {
  clock.set(new Date()) // The processes use the real clock.
  await emptyStore(context)
})

const DAY = 86_400_000
const MiB = 2 ** 20
const SLOW = { timeout: 240_000 }
const { WAYPOST_DATABASE_URL } = context.config
const died = new Set<Failpoint>()

/** Runs an operation in a process that is killed by it. */
async function perform(deed: string, operand: number, at: Failpoint, pass = 1) {
  const script = fileURLToPath(new URL('../harness/files-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=faults', script, deed, String(operand)], {
    env: {
      WAYPOST_ENVIRONMENT: 'test',
      WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
      WAYPOST_LOG_LEVEL: 'error',
      WAYPOST_DATABASE_URL,
      ...filesEnvironment(WAYPOST_DATABASE_URL),
      WAYPOST_CRASH: `${at}:${pass}`,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code, signal] = await once(child, 'exit')
  expect([code, signal]).toEqual([null, 'SIGKILL'])
  died.add(at)
}

/** Sends one request to a server that is killed by it; the request must fail. */
async function askDoomed(at: Failpoint, request: (doomed: typeof tom) => Promise<unknown>) {
  const doomed = await startServerProcess(
    { WAYPOST_DATABASE_URL, WAYPOST_LOG_LEVEL: 'error', WAYPOST_CRASH: `${at}:1` },
    true,
  )
  await expect(request(uploadsBy(doomed.api))).rejects.toThrow(/hang up|ECONNRESET/)
  expect(await doomed.ended).toBe('SIGKILL')
  died.add(at)
}

const read = async (id: FileId) => (await buffer(await openFile(context, await storedFile(context, id)))).toString()

/** Runs the clean-up when all orphans are old enough. */
const cleaned = () => cleanFiles(context, new Date(Date.now() + 30 * DAY))
const keep = (id: FileId) => sql`update file set expires_on = '2100-01-01' where id = ${id}`.execute(context.db)

test('killed after its bytes are stored, a new file is absent, and can be sent again', SLOW, async () => {
  await askDoomed('file.stored', (doomed) => doomed.create('AAA'))
  const list = await tom.list()
  expect([list.json, list.headers['x-disk-usage']]).toEqual([[], '0'])
  expect(await blobsOf(context, 'pieces')).toHaveLength(1)
  const { json } = await tom.create('AAA')
  await keep(json.id)
  await cleaned()
  expect(await read(json.id)).toBe('AAA')
  expect(await blobsOf(context, 'pieces')).toHaveLength(1)
})

test('killed while it is recorded, a chunk is absent, and can be sent again', SLOW, async () => {
  const { json } = await tom.create('AAA')
  await askDoomed('file.recorded', (doomed) => doomed.append(json.id, 2, 'BB'))
  expect(await read(json.id)).toBe('AAA')
  expect((await tom.append(json.id, 2, 'BB')).json.size).toBe(5)
  await keep(json.id)
  await cleaned()
  expect(await read(json.id)).toBe('AAABB')
  expect(await blobsOf(context, 'pieces')).toHaveLength(2)
})

test.each([
  ['file.stored', 16 * MiB],
  ['file.recorded', 32 * MiB],
] as const)('killed at the second %s, an upload continues at %i', SLOW, async (at, received) => {
  const { id, size } = await announced(context, 40 * MiB)
  await perform('append', id, at, 2)
  expect(await storedFile(context, id)).toMatchObject({ received })
  expect((await read(id)) === 'waypost'.repeat(size / 7 + 1).slice(0, received)).toBe(true)
  await keep(id)
  await cleaned()
  expect(await blobsOf(context, 'pieces')).toHaveLength(received / (16 * MiB))
})

test('killed while it is released, a file remains', SLOW, async () => {
  const { json } = await tom.create('AAA')
  await askDoomed('file.released', (doomed) => doomed.remove(json.id))
  expect(await read(json.id)).toBe('AAA')
  expect((await tom.remove(json.id)).status).toBe(200)
})

test.each(['file.joined', 'file.sealed'] as const)(
  'killed at %s, a file has all its bytes, is sealed by a retry, and nothing is left over',
  SLOW,
  async (at) => {
    const { json } = await tom.create('AAA')
    await tom.append(json.id, 2, 'BB')
    await perform('seal', json.id, at)
    expect(await read(json.id)).toBe('AAABB')
    await sealFile(context, await storedFile(context, json.id))
    expect(await read(json.id)).toBe('AAABB')
    const { digest } = await storedFile(context, json.id)
    await keep(json.id)
    await cleaned()
    expect(await read(json.id)).toBe('AAABB')
    expect(await blobsOf(context, 'pieces')).toEqual([])
    expect(await blobsOf(context, 'content')).toEqual([contentKey(digest ?? '')])
  },
)

test('killed while content is removed, a retry removes it', SLOW, async () => {
  const { json } = await tom.create('AAA')
  await sealFile(context, await storedFile(context, json.id))
  await tom.remove(json.id)
  await cleanFiles(context, clock.now())
  const later = clock.now().getTime() + 8 * DAY
  await perform('clean', later, 'file.removed')
  const count = async () => (await sql`select from file_content`.execute(context.db)).rows.length
  expect([await count(), await blobsOf(context, 'content')]).toEqual([1, [expect.any(String)]])
  await cleanFiles(context, new Date(later))
  expect([await count(), await blobsOf(context, 'content')]).toEqual([0, []])
})

test('every failpoint of this module has a case', () => {
  const elsewhere = ['file.attached', 'file.detached']
  expect(FAILPOINTS.filter((name) => name.startsWith('file.') && !died.has(name))).toEqual(elsewhere)
})
