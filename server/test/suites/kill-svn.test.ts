import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { FAILPOINTS, type Failpoint } from '../../src/platform/operation/failpoints.ts'
import { getSvnFolders } from '../../src/repositories/disk/svn-folders.ts'
import { runTool } from '../../src/repositories/disk/run-tool.ts'
import { sweepRepositories } from '../../src/repositories/trash/sweep-repositories.ts'
import { loadRevisions } from '../fixtures/browsed-repository.ts'
import { COMPILE_CACHE } from '../harness/compile-cache.ts'
import { filesEnvironment, svnRootOf } from '../harness/storage-settings.ts'
import { startWorld } from '../harness/start-world.ts'
import { ADA, MARA } from '../fixtures/people.ts'
import { ORCHARD } from '../fixtures/seed-ids.ts'
import { drainWorker } from '../harness/run-jobs.ts'
import { SECRET_KEY } from '../harness/server-process.ts'
import { dumpOf } from '../../src/repositories/disk/svn-dump.ts'

// Processes are killed by SIGKILL at each step of deleting and restoring repositories. For creating and committing see
// svn-kills.
const { api, context, clock } = await startWorld()
const { WAYPOST_DATABASE_URL } = context.config
const environment = {
  WAYPOST_DATABASE_URL,
  WAYPOST_SVN_ROOT: svnRootOf(WAYPOST_DATABASE_URL),
  WAYPOST_LOG_LEVEL: 'error',
  ...filesEnvironment(WAYPOST_DATABASE_URL),
}
const places = getSvnFolders(context.config)
const SLOW = { timeout: 240_000 }
beforeEach(() => clock.set(new Date())) // The processes use the real clock.

async function workUntilKilled(at: Failpoint): Promise<void> {
  const script = fileURLToPath(new URL('../harness/svn-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=faults', script], {
    env: {
      PATH: process.env['PATH'],
      ...COMPILE_CACHE,
      WAYPOST_ENVIRONMENT: 'test',
      WAYPOST_SECRET_KEYS: SECRET_KEY,
      ...environment,
      WAYPOST_CRASH: `${at}:1`,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code, signal] = await once(child, 'exit')
  expect([code, signal]).toEqual([null, 'SIGKILL'])
  // Like the worker does for jobs of dead processes.
  await sql`update job set state = 'waiting' where state = 'running'`.execute(context.db)
}

const create = (name: string) => api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name } })
const committed = async (name: string): Promise<number> => {
  const { json } = await create(name)
  const nodes = [{ path: 'seed', nodeAction: 'add' as const, content: 'apple' }]
  const revision = { author: 'tom', message: 'Sown.', date: new Date(), nodes }
  await loadRevisions(join(places.repositories, 'orchard', name), dumpOf([revision]))
  return json.id
}
const seedOf = async (name: string) =>
  (await runTool('svnlook', ['cat', join(places.repositories, 'orchard', name), 'seed'])).stdout.toString()
const statesOf = async (id: number) => {
  const { rows } = await sql<{ state: string }>`select state from job where object = ${`svn/${id}`}`.execute(context.db)
  return rows.map(({ state }) => state)
}
/** Sweeps when everything in progress is old enough. */
const sweptUp = async () => {
  await sweepRepositories(context, new Date(Date.now() + 2 * 86_400_000))
  return { deleted: await readdir(places.deleted), making: await readdir(places.making) }
}

const STEPS_OF_DELETION = ['svn.set_aside', 'svn.dumped', 'svn.dump_recorded'] as const
const STEPS_OF_RESTORING = ['svn.loaded', 'svn.replaced', 'svn.restored'] as const

test.each(STEPS_OF_DELETION)(
  'killed at %s, a deleted repository is dumped by a retry, and can be restored',
  SLOW,
  async (at) => {
    const name = at.replace('.', '-')
    const id = await committed(name)
    await api.delete(`/svn/${id}`, { as: MARA })
    await workUntilKilled(at)
    expect((await api.get(`/svn/${id}`, { as: MARA })).status).toBe(404)
    await drainWorker(context)
    const { rows } = await sql<{ dump_file: string }>`select dump_file from repository where id = ${id}`.execute(
      context.db,
    )
    expect(await readdir(places.deleted)).toContain(rows[0]?.dump_file)
    expect(await readdir(places.deleted)).not.toContain(String(id))
    expect(await statesOf(id)).toEqual(['done'])
    const asked = api.post(`/svn/${id}/restore`, { as: ADA })
    await expect.poll(() => statesOf(id)).toHaveLength(2)
    await drainWorker(context)
    expect((await asked).status).toBe(201)
    expect(await seedOf(name)).toBe('apple')
  },
)

test.each(STEPS_OF_RESTORING)('killed at %s, a repository is restored by a retry, once', SLOW, async (at) => {
  const name = at.replace('.', '-')
  const id = await committed(name)
  await api.delete(`/svn/${id}`, { as: MARA })
  await drainWorker(context)
  const asked = api.post(`/svn/${id}/restore`, { as: ADA })
  await expect.poll(() => statesOf(id)).toHaveLength(2)
  await workUntilKilled(at)
  expect((await api.get(`/svn/${id}`, { as: MARA })).status).toBe(at === 'svn.restored' ? 200 : 404)
  await drainWorker(context)
  expect((await asked).status).toBe(201)
  expect(await seedOf(name)).toBe('apple')
  const { rows } = await sql<{ recorded: number }>`
      select count(*) as recorded from event where object = ${`svn/${id}`} and type = 'svn.created'`.execute(context.db)
  expect(rows).toEqual([{ recorded: 2 }])
  const { deleted, making } = await sweptUp()
  expect(making).toEqual([])
  expect(deleted.filter((each) => each === String(id))).toEqual([])
})

test('every failpoint has a case', () => {
  const elsewhere = FAILPOINTS.filter((name) => name.startsWith('svn.commit_') || /^svn\.(created|placed)$/.test(name))
  const here: readonly Failpoint[] = [...STEPS_OF_DELETION, ...STEPS_OF_RESTORING]
  expect(FAILPOINTS.filter((name) => name.startsWith('svn.') && !here.includes(name))).toEqual(elsewhere)
})
