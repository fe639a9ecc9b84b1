import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { createContext } from '../../src/context.ts'
import { cleanFiles } from '../../src/files/clean-files.ts'
import { verifyFiles } from '../../src/files/verify-files.ts'
import { ATTACHMENT_TRACKER, readWhole } from '../fixtures/attachments.ts'
import { auditArtifacts } from '../harness/auditor.ts'
import type { Response } from '../harness/client.ts'
import { createTestDatabase } from '../harness/database.ts'
import { makeTestTracker } from '../fixtures/every-field.ts'
import { testConfig } from '../harness/start-world.ts'
import { TOM } from '../fixtures/people.ts'
import { startServerProcess } from '../harness/server-process.ts'
import { blobsOf, uploadsBy } from '../harness/temporary-files.ts'
import { closePools } from '../../src/platform/database/pools.ts'

// F23, F24: the disk fails at the nth call of a kind, for n = 1, 2 and so on until a run has no failure. strace injects
// the failure into the one thread that accesses files. Write failures are tested with a full disk (F19): that thread
// also wakes the others by write, and would end the process.
const canTrace = process.getuid?.() === 0 && spawnSync('strace', ['-V']).status === 0
const CALLS = ['openat', 'fsync', 'rename', 'mkdir', 'unlink', 'statx']
/** Required for durability: a failure must be reported. */
const NEEDED = ['fsync', 'rename']
const DAY = 86_400_000

const database = await createTestDatabase('seeded')
const context = await createContext(testConfig({ WAYPOST_DATABASE_URL: database.appUrl }))
const server = await startServerProcess({
  WAYPOST_DATABASE_URL: database.appUrl,
  WAYPOST_LOG_LEVEL: 'fatal',
  UV_THREADPOOL_SIZE: '1',
})
afterAll(async () => {
  await server.stop('SIGKILL')
  await closePools(context.pools)
})

/** The thread that accesses files. */
function threadOfFiles(): string {
  const tasks = `/proc/${server.pid}/task`
  const found = readdirSync(tasks).filter((id) => readFileSync(`${tasks}/${id}/comm`, 'utf8').trim() === 'libuv-worker')
  expect(found).toHaveLength(1)
  return found[0] ?? ''
}

/** Runs `deed` while the nth such call fails; returns whether one did. */
async function whileFailing(call: string, nth: number, deed: () => Promise<void>): Promise<boolean> {
  const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:error=EIO:when=${nth}`]
  const strace = spawn('strace', ['-p', threadOfFiles(), ...inject], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(strace, 'exit')
  let seen = ''
  const lines = createInterface(strace.stderr)
  const attached = once(lines, 'line')
  lines.on('line', (line) => (seen += `${line}\n`))
  await attached
  expect(seen).toContain('attached')
  try {
    await deed()
  } finally {
    strace.kill('SIGINT')
    await ended
  }
  return seen.includes('INJECTED')
}

/** Like a good client: retries after an error. Only retryable errors are allowed. */
async function insist(ask: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const answer = await ask()
    if (answer.status < 300) return answer
    refusals++
    expect([500, 503, 507]).toContain(answer.status)
    expect(tries).toBeLessThan(3) // Only one call fails.
  }
}

const tracker = await makeTestTracker(server.api, ATTACHMENT_TRACKER)
const tom = uploadsBy(server.api)
let [count, refusals] = [0, 0]

/** Uploads a file in two chunks, attaches and reads it, and deletes another. */
async function lifeOfAFile(): Promise<void> {
  const words = `The ${++count}th file of all`
  const { json } = await insist(() => tom.create(words))
  await insist(() => tom.append(json.id, 2, ', in two chunks'))
  const values = [{ field_id: tracker.field('attachment'), value: [json.id] }]
  const headers = { 'idempotency-key': `file-${count}` }
  await insist(() => server.api.post('/artifacts', { as: TOM, headers, body: { tracker: { id: tracker.id }, values } }))
  const other = await insist(() => tom.create(`${words}, unwanted`))
  await insist(() => tom.remove(other.json.id))
  const read = () => readWhole(server.api, TOM, json.id).catch(() => Buffer.alloc(0))
  const bytes = await read()
  expect((bytes.length > 0 ? bytes : await read()).toString()).toBe(`${words}, in two chunks`)
}

test.runIf(canTrace).each(CALLS)(
  'a failure of any %s leads to no false response (as root, with strace)',
  async (call) => {
    await lifeOfAFile() // Initializes everything that is created only once.
    refusals = 0
    let failed = 0
    while (await whileFailing(call, failed + 1, lifeOfAFile)) {
      failed++
      expect(refusals >= failed || !NEEDED.includes(call)).toBe(true)
    }
    expect(failed).toBeGreaterThan(0)

    const faults = await Array.fromAsync(verifyFiles(context, { digest: true }))
    expect(faults.filter(({ kind }) => !kind.endsWith('unknown'))).toEqual([])
    expect(await auditArtifacts(context, context.db)).toEqual([])
    await cleanFiles(context, new Date(Date.now() + 30 * DAY))
    expect(await blobsOf(context, 'pieces')).toEqual([])
    expect(await Array.fromAsync(verifyFiles(context, { digest: true }))).toEqual([])
  },
)
