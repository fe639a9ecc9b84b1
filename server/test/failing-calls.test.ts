import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { createContext } from '../src/context.ts'
import { cleanFiles } from '../src/files/clean-files.ts'
import { verifyFiles } from '../src/files/verify-files.ts'
import { ATTACHING, readWhole } from './attaching.ts'
import { auditArtifacts } from './auditor.ts'
import type { Response } from './client.ts'
import { createTestDatabase } from './database.ts'
import { makeTracker } from './every-field.ts'
import { testConfig } from './harness.ts'
import { TOM } from './people.ts'
import { startServerProcess } from './server-process.ts'
import { blobsOf, uploadsBy } from './temporary-files.ts'

// F23, F24: the disk fails at the nth call of a kind, for n = 1, 2 and so on until a run meets no failure. strace puts the
// failure into the one thread that works with files. Writes fail with a full disk (F19): that thread wakes the others by
// one as well, and would end the process.
const canTrace = process.getuid?.() === 0 && spawnSync('strace', ['-V']).status === 0
const CALLS = ['openat', 'fsync', 'rename', 'mkdir', 'unlink', 'statx']
/** Without these nothing is durable: whose call fails is told so. */
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
  await context.db.destroy()
})

/** The thread that works with files. */
function threadOfFiles(): string {
  const tasks = `/proc/${server.pid}/task`
  const found = readdirSync(tasks).filter((id) => readFileSync(`${tasks}/${id}/comm`, 'utf8').trim() === 'libuv-worker')
  expect(found).toHaveLength(1)
  return found[0] ?? ''
}

/** Does something while the nth such call fails; whether one did. */
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

/** As a good client: asks again when it was told that it failed. Nobody is told anything else. */
async function insist(ask: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const answer = await ask()
    if (answer.status < 300) return answer
    refusals++
    expect([500, 503, 507]).toContain(answer.status)
    expect(tries).toBeLessThan(3) // One call fails, and no more.
  }
}

const tracker = await makeTracker(server.api, ATTACHING)
const tom = uploadsBy(server.api)
let [count, refusals] = [0, 0]

/** A file in two chunks, attached, read, and another that is thrown away. */
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
  'whichever %s fails, nothing is told that is not so (as root, with strace)',
  { timeout: 120_000 },
  async (call) => {
    await lifeOfAFile() // What is made once only, is made.
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
