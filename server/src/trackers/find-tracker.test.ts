import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { TOM } from '../../test/fixtures/people.ts'
import { BUGS, ORCHARD } from '../../test/fixtures/seed-ids.ts'
import { startWorld } from '../../test/harness/start-world.ts'

const { api, context } = await startWorld({ environment: { WAYPOST_CHECK_RIGHTS: '1' } })

test('with WAYPOST_CHECK_RIGHTS the database decides who sees a tracker, and a difference is counted and logged', async () => {
  const error = vi.spyOn(context.log, 'error')
  const read = () => api.get(`/trackers/${BUGS}`, { as: TOM })
  expect((await read()).status).toBe(200)
  expect(context.rightsCheck.compared).toBeGreaterThan(0)
  expect(context.rightsCheck.differences).toBe(0)

  // No route leaves the access version unchanged.
  await sql`delete from project_member where project_id = ${ORCHARD} and account_id = ${TOM.id}`.execute(context.db)
  await sql`update project set access = 'private' where id = ${ORCHARD}`.execute(context.db)
  expect((await read()).status).toBe(404)
  expect(context.rightsCheck.differences).toBe(1)
  expect(error).toHaveBeenCalledWith({ tracker: BUGS, account: TOM.id }, expect.stringContaining('rights'))
})
