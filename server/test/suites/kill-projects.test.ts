import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../src/platform/database/db.ts'
import { enqueueJob } from '../../src/platform/jobs/jobs.ts'
import { FAILPOINTS } from '../../src/platform/operation/failpoints.ts'
import { getSvnFolders } from '../../src/repositories/disk/svn-folders.ts'
import { ADA, MARA } from '../fixtures/people.ts'
import { seedTestArtifacts } from '../fixtures/seed-artifacts.ts'
import { ORCHARD } from '../fixtures/seed-ids.ts'
import { COMPILE_CACHE } from '../harness/compile-cache.ts'
import { refused } from '../harness/refused.ts'
import { drainWorker } from '../harness/run-jobs.ts'
import { SECRET_KEY } from '../harness/server-process.ts'
import { startWorld } from '../harness/start-world.ts'
import { filesEnvironment, svnRootOf } from '../harness/storage-settings.ts'

// Processes are killed by SIGKILL at each step of a purge; the next run completes it, and no restoration interferes.
const { api, context, clock } = await startWorld()
const { WAYPOST_DATABASE_URL } = context.config
const places = getSvnFolders(context.config)
const SLOW = { timeout: 240_000 }
beforeEach(() => clock.set(new Date())) // The processes use the real clock.

async function workUntilKilled(crash: string): Promise<void> {
  const script = fileURLToPath(new URL('../harness/svn-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=faults', script], {
    env: {
      PATH: process.env['PATH'],
      ...COMPILE_CACHE,
      WAYPOST_ENVIRONMENT: 'test',
      WAYPOST_SECRET_KEYS: SECRET_KEY,
      WAYPOST_DATABASE_URL,
      WAYPOST_SVN_ROOT: svnRootOf(WAYPOST_DATABASE_URL),
      WAYPOST_LOG_LEVEL: 'error',
      ...filesEnvironment(WAYPOST_DATABASE_URL),
      WAYPOST_CRASH: crash,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code, signal] = await once(child, 'exit')
  expect([code, signal]).toEqual([null, 'SIGKILL'])
  // Like the worker does for jobs of dead processes.
  await sql`update job set state = 'waiting' where state = 'running'`.execute(context.db)
}

/** The step and which time it is reached: batches of deliveries, watches, notifications, mails, artifacts; four parts. */
const STEPS = [
  'project.purge_begun:1',
  'project.batch_purged:1',
  'project.batch_purged:3',
  'project.batch_purged:5',
  'project.part_purged:1',
  'project.part_purged:2',
  'project.part_purged:3',
  'project.part_purged:4',
  'project.purged:1',
]

test.each(STEPS)('killed at %s, a purge is completed by a retry', SLOW, async (crash) => {
  await seedTestArtifacts(context.db)
  await api.post('/svn', { as: MARA, body: { project_id: ORCHARD, name: 'core' } })
  expect((await api.delete(`/projects/${ORCHARD}`, { as: MARA })).status).toBe(200)
  await sql`update project set deleted_on = now() - interval '31 days' where id = ${ORCHARD}`.execute(context.db)
  await inTransaction(context.db, (tx) => enqueueJob(tx, { type: 'project_purge', payload: {} }, null))
  await workUntilKilled(crash)
  for (const person of [MARA, ADA])
    expect(await api.post(`/projects/${ORCHARD}/restoration`, { as: person })).toMatchObject(refused(404, 'not_found'))
  await drainWorker(context)

  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from project where id = ${ORCHARD}) as projects,
      (select count(*) from artifact where project_id = ${ORCHARD}) as artifacts,
      (select count(*) from repository where project_id = ${ORCHARD}) as repositories,
      (select count(*) from project_tombstone where project_id = ${ORCHARD}) as names,
      (select count(*) from audit where action = 'project.purge') as rows`.execute(context.db)
  expect(rows).toEqual([{ projects: 0, artifacts: 0, repositories: 0, names: 1, rows: 1 }])
  expect(await readdir(places.repositories)).not.toContain('orchard')
  const { rows: jobs } = await sql`select state from job where type = 'project_purge'`.execute(context.db)
  expect(jobs).toEqual([{ state: 'done' }])
})

test('every failpoint has a case', () => {
  const names = FAILPOINTS.filter((name) => name.startsWith('project.'))
  expect(names.filter((name) => !STEPS.some((step) => step.startsWith(`${name}:`)))).toEqual([])
})
