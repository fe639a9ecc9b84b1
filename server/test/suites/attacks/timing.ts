import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../src/platform/database/db.ts'
import { APP_ROLE, createRolesAndDatabase, startPostgres } from '../../../src/platform/database/local-postgres.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { seed } from '../../fixtures/seed.ts'
import { startServerProcess } from '../../harness/server-process.ts'
import { compareTimings, describeComparison } from './timing-comparison.ts'
import { timingCases } from './timing-cases.ts'

// The timing cases in full: `npm run attacks -- --timing`.
const MAX_T = 4.5

/** Compares with a separate database and server process. Resolves with 1 if there is a difference. */
export async function runTimingCases(samples: number, only: string): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'waypost-timing-'))
  await chmod(directory, 0o711) // PostgreSQL may run as another user, who has to enter it.
  const places = { data: join(directory, 'data'), socket: join(directory, 'socket') }
  const postgres = await startPostgres({ ...places, durable: false })
  const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: postgres.host, database: 'timing' })
  await migrate({ url: ownerUrl, appRole: APP_ROLE })
  const db = openDatabase({ connectionString: ownerUrl })
  await seed(db)
  const server = await startServerProcess({ WAYPOST_DATABASE_URL: appUrl, WAYPOST_LOG_LEVEL: 'error' })
  let isDistinguishable = false
  for (const sides of timingCases(db).filter(({ name }) => name.startsWith(only))) {
    const comparison = await compareTimings(server.api.origin, sides, samples)
    process.stdout.write(`${describeComparison(sides, comparison)}\n`)
    isDistinguishable ||= Math.max(Math.abs(comparison.t), Math.abs(comparison.cropped)) >= MAX_T
  }
  await server.stop()
  await db.destroy()
  await postgres.stop()
  await rm(directory, { recursive: true, force: true })
  return isDistinguishable ? 1 : 0
}
