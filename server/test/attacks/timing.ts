import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/platform/database/db.ts'
import { APP_ROLE, createRolesAndDatabase, startPostgres } from '../../src/platform/database/local-postgres.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { seed } from '../seed.ts'
import { startServerProcess } from '../server-process.ts'
import { compareSides, describeComparison } from './time-sides.ts'
import { timingCases } from './timing-cases.ts'

// The cases that take too long for every change, in full: `npm run attacks -- --timing`.
const LIMIT = 4.5

/** Compares on a database and a server process of their own. Resolves with 1 if a difference shows. */
export async function runTimingCases(samples: number, only: string): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'waypost-timing-'))
  await chmod(directory, 0o711) // PostgreSQL may run as another user, who has to pass.
  const places = { data: join(directory, 'data'), socket: join(directory, 'socket') }
  const postgres = await startPostgres({ ...places, durable: false })
  const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: postgres.host, database: 'timing' })
  await migrate({ url: ownerUrl, appRole: APP_ROLE })
  const db = openDatabase({ connectionString: ownerUrl })
  await seed(db)
  const server = await startServerProcess({ WAYPOST_DATABASE_URL: appUrl, WAYPOST_LOG_LEVEL: 'error' })
  let isTold = false
  for (const sides of timingCases(db).filter(({ name }) => name.startsWith(only))) {
    const comparison = await compareSides(server.api.origin, sides, samples)
    process.stdout.write(`${describeComparison(sides, comparison)}\n`)
    isTold ||= Math.max(Math.abs(comparison.t), Math.abs(comparison.cropped)) >= LIMIT
  }
  await server.stop()
  await db.destroy()
  await postgres.stop()
  await rm(directory, { recursive: true, force: true })
  return isTold ? 1 : 0
}
