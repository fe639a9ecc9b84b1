import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { TOM } from '../../../test/fixtures/people.ts'
import { OPEN_BUG, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { seedTestArtifacts } from '../../../test/fixtures/seed-artifacts.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api, context } = await startWorld({ environment: { WAYPOST_CHECK_RIGHTS: '1' } })

test('with WAYPOST_CHECK_RIGHTS the database is right, and a difference is counted and logged', async () => {
  await seedTestArtifacts(context.db)
  const error = vi.spyOn(context.log, 'error')
  const read = () => api.get(`/artifacts/${OPEN_BUG}`, { as: TOM })
  expect((await read()).status).toBe(200)
  const { compared } = context.rightsCheck
  expect([compared > 0, context.rightsCheck.differences]).toEqual([true, 0])

  // No route leaves the access version unchanged.
  await sql`delete from project_member where project_id = ${ORCHARD} and account_id = ${TOM.id}`.execute(context.db)
  await sql`update project set access = 'private' where id = ${ORCHARD}`.execute(context.db)
  expect((await read()).status).toBe(404)
  expect(context.rightsCheck.differences).toBe(1)
  expect(error).toHaveBeenCalledWith({ artifact: OPEN_BUG, account: TOM.id }, expect.stringContaining('rights'))
  const { text } = await api.get('/metrics')
  expect(text).toContain('waypost_rights_checks_total{result="different"} 1')
})
