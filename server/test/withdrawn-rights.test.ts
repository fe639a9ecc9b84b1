import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../src/platform/database/db.ts'
import { withAdministrator } from '../src/platform/database/local-postgres.ts'
import { inject } from 'vitest'
import { createTestDatabase } from './database.ts'
import { ADA, MARA, TOM, VICTOR } from './people.ts'
import { ORCHARD, QUARRY, VAULT } from './places.ts'
import { seed } from './seed.ts'
import { startServerProcess } from './server-process.ts'

// Two server processes on one database: what is withdrawn through one is refused by the other on the very next request.
const database = await createTestDatabase()
const owner = openDatabase({ connectionString: database.ownerUrl })
const environment = { WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'error' }
const [one, other] = await Promise.all([startServerProcess(environment), startServerProcess(environment)])
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()])
  await owner.destroy()
})
beforeEach(() => seed(owner))

/** Ends every connection that any process has, as a failing network would. */
async function cutConnections(): Promise<void> {
  await withAdministrator({ host: inject('cluster'), database: 'postgres' }, (administrator) =>
    administrator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = 'waypost_app'`,
      [database.name],
    ),
  )
}

const CASES = [
  {
    what: 'a deleted key',
    withdraw: () => one.api.delete(`/access_keys/${TOM.key_id}`, { as: TOM }),
    use: () => other.api.get('/users/self', { as: TOM }),
    refusal: 401,
  },
  {
    what: 'a suspended account',
    withdraw: () => one.api.patch(`/users/${TOM.id}`, { as: ADA, body: { status: 'S' } }),
    use: () => other.api.get('/users/self', { as: TOM }),
    refusal: 403,
  },
  {
    what: 'a membership',
    withdraw: () => one.api.put(`/user_groups/${ORCHARD}_4/users`, { as: MARA, body: [{ username: 'tom' }] }),
    use: () => other.api.put(`/projects/${ORCHARD}/banner`, { as: MARA, body: { message: 'still mine?' } }),
    refusal: 403,
  },
  {
    what: 'a suspended project',
    withdraw: () => one.api.patch(`/projects/${VAULT}`, { as: ADA, body: { status: 'suspended' } }),
    use: () => other.api.get(`/projects/${VAULT}`, { as: VICTOR }),
    refusal: 404,
  },
  {
    what: 'a lost site administration',
    withdraw: async () => {
      await one.api.patch(`/users/${MARA.id}`, { as: ADA, body: { is_site_admin: true } })
      return one.api.patch(`/users/${ADA.id}`, { as: MARA, body: { is_site_admin: false } })
    },
    use: () => other.api.get(`/projects/${QUARRY}`, { as: ADA }),
    refusal: 404,
  },
  {
    what: 'anonymous access',
    withdraw: () => one.api.patch('/settings', { as: ADA, body: { anonymous_access: false } }),
    use: () => other.api.get('/projects'),
    refusal: 401,
  },
]

describe.each(CASES)('$what', ({ withdraw, use, refusal }) => {
  test('is refused on the next request to another process', async () => {
    expect((await use()).status).toBe(200)
    expect((await withdraw()).status).toBe(200)
    expect((await use()).status).toBe(refusal)
  })

  test('also when that process has just lost its connections', async () => {
    expect((await use()).status).toBe(200)
    expect((await withdraw()).status).toBe(200)
    await cutConnections()
    const [first, second] = [await use(), await use()]
    expect([refusal, 503]).toContain(first.status) // Never the old answer.
    expect(second.status).toBe(refusal)
  })
})
