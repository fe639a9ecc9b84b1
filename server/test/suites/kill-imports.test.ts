import { afterAll, expect, test } from 'vitest'
import { createContext } from '../../src/context.ts'
import { closePools } from '../../src/platform/database/pools.ts'
import { EVERY_FIELD, makeTestTracker } from '../fixtures/every-field.ts'
import { beginTestImport, finishTestImport, importLine, importLines } from '../fixtures/imports.ts'
import { ADA, OLGA, TOM } from '../fixtures/people.ts'
import { seed } from '../fixtures/seed.ts'
import { auditArtifacts } from '../harness/auditor.ts'
import { createTestDatabase } from '../harness/database.ts'
import { startServerProcess } from '../harness/server-process.ts'
import { testConfig } from '../harness/start-world.ts'

// A server is killed by SIGKILL in the middle of an import. The importer sends everything again to another server.
const database = await createTestDatabase()
const owner = await createContext(testConfig({ WAYPOST_DATABASE_URL: database.ownerUrl }))
const environment = { WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'error' }
await seed(owner.db)
const next = await startServerProcess(environment)
const { api } = next
afterAll(async () => {
  await next.stop()
  await closePools(owner.pools)
})

test('an import that is killed in its second batch goes on where it stopped, and creates nothing twice', async () => {
  const tracker = await makeTestTracker(api, EVERY_FIELD)
  const id = await beginTestImport(api)
  const lines = Array.from({ length: 1100 }, (_, at) =>
    importLine(
      { tracker: tracker.id, key: `OLD-${at + 1}` },
      { values_by_field: { summary: `Old ${at + 1}`, points: at, tags: [`tag ${at % 7}`] } },
      { values_by_field: { status: 'Closed' }, comment: { body: `closed, see art #${at}` }, author: 'uma' },
    ),
  )
  const doomed = await startServerProcess({ ...environment, WAYPOST_CRASH: 'write.done:2' }, true)
  await importLines(doomed.api, id, lines).catch((error: unknown) => error)
  expect(await doomed.ended).toBe('SIGKILL')
  expect((await api.get(`/imports/${id}`, { as: ADA })).json).toMatchObject({ state: 'running', artifacts: 500 })
  expect(await auditArtifacts(owner, owner.db)).toEqual([])
  expect((await api.get(`/trackers/${tracker.id}`, { as: OLGA })).status).toBe(404)

  const { done } = await importLines(api, id, lines)
  expect(done).toEqual({ lines: 1100, succeeded: 600, unchanged: 500, failed: 0, stopped: false })
  expect((await finishTestImport(api, id)).json.artifacts).toBe(1100)
  expect(await auditArtifacts(owner, owner.db)).toEqual([])
  const { headers } = await api.get(`/trackers/${tracker.id}/artifacts?limit=0`, { as: TOM })
  expect(headers['x-pagination-size']).toBe('1100')
})
