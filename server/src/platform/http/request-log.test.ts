import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { TOM } from '../../../test/fixtures/people.ts'
import { startServerProcess } from '../../../test/harness/server-process.ts'

const { appUrl } = await createTestDatabase('seeded')
const PROBES = ['/healthz', '/readyz', '/metrics']

/** The paths of the requests that a server has logged at this level or above. */
async function loggedPaths(WAYPOST_LOG_LEVEL: string): Promise<(string | undefined)[]> {
  const server = await startServerProcess({ WAYPOST_DATABASE_URL: appUrl, WAYPOST_LOG_LEVEL })
  for (const path of [...PROBES, '/users/self']) expect((await server.api.get(path, { as: TOM })).status).toBe(200)
  await server.stop()
  const lines = server.output().split('\n').filter(Boolean)
  return lines.map((line): string | undefined => JSON.parse(line).path)
}

test('requests are logged at info, and probes at debug only', async () => {
  const usual = await loggedPaths('info')
  expect(usual).toContain('/api/users/self')
  expect(usual.filter((path) => path !== undefined && PROBES.includes(path))).toEqual([])
  expect(await loggedPaths('debug')).toEqual(expect.arrayContaining([...PROBES, '/api/users/self']))
})
