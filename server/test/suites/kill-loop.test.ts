import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/database/db.ts'
import { FAILPOINTS } from '../../src/platform/operation/failpoints.ts'
import { createTestDatabase } from '../harness/database.ts'
import { TOM } from '../fixtures/people.ts'
import { seed } from '../fixtures/seed.ts'
import { startServerProcess } from '../harness/server-process.ts'

// A server is killed by SIGKILL at each failpoint of a write with an Idempotency-Key. The client retries with the next
// server until it has a response.
const database = await createTestDatabase()
const owner = openDatabase({ connectionString: database.ownerUrl })
const environment = { WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'error' }
afterAll(() => owner.destroy())
beforeAll(() => seed(owner))

describe.each(FAILPOINTS.filter((name) => name.startsWith('write.')))('killed at %s', (failpoint) => {
  test('50 parallel equal requests create one project and get one response', async () => {
    const shortname = failpoint.replaceAll('.', '-')
    const options = {
      as: TOM,
      body: { shortname, label: `Killed at ${failpoint}`, is_public: true, template_id: 100 },
      headers: { 'idempotency-key': failpoint },
    }
    const doomed = await startServerProcess({ ...environment, WAYPOST_CRASH: `${failpoint}:1` }, true)
    const first = await Promise.allSettled(Array.from({ length: 50 }, () => doomed.api.post('/projects', options)))
    expect(await doomed.ended).toBe('SIGKILL')
    expect(first.every(({ status }) => status === 'rejected')).toBe(true) // No response reported success.

    const next = await startServerProcess(environment)
    const answers = await Promise.all(Array.from({ length: 50 }, () => next.api.post('/projects', options)))
    await next.stop()

    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    const { rows } = await sql<{ projects: number; events: number; audits: number; members: number }>`
      select (select count(*) from project where shortname = ${shortname}) as projects,
        (select count(*) from project_member join project on project.id = project_id where shortname = ${shortname}) as members,
        (select count(*) from event where type = 'project.created' and object = ${`projects/${answers[0]?.json.id}`}) as events,
        (select count(*) from audit where action = 'project.create' and object = ${`projects/${answers[0]?.json.id}`}) as audits`.execute(
      owner,
    )
    expect(rows[0]).toEqual({ projects: 1, members: 1, events: 1, audits: 1 })
  })
})
