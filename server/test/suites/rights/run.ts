import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createSignIn } from '../../../src/accounts/sign-in/sign-in.ts'
import { createContext } from '../../../src/context.ts'
import { WEB_PAGES } from '../../../src/pages.ts'
import { openDatabase } from '../../../src/platform/database/db.ts'
import { APP_ROLE, createRolesAndDatabase, startPostgres } from '../../../src/platform/database/local-postgres.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { closePools } from '../../../src/platform/database/pools.ts'
import { createServer } from '../../../src/platform/http/http.ts'
import { readConfig } from '../../../src/platform/operation/config.ts'
import { ROUTES } from '../../../src/routes.ts'
import { seed } from '../../fixtures/seed.ts'
import { createTestClient } from '../../harness/client.ts'
import type { LookFigures } from './compare-looks.ts'
import { compareWorlds } from './rights-worlds.ts'

// Looks up artifacts of random worlds by rights in memory and by SQL, and compares every byte:
// `npm run rights -- --worlds 10000 --seed 1`. A difference ends it with status 1.
const { values } = parseArgs({
  options: { worlds: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
})
const PROGRESS_INTERVAL = 500
const print = (text: string) => process.stdout.write(`${text}\n`)
const describe = (worlds: number, { compared, hidden, undecided, differences }: LookFigures) =>
  `${worlds} worlds, seed ${values.seed}: ${compared} looks compared, ${hidden} of them hidden, ${undecided} left to SQL, ${differences.length} differences`

const directory = await mkdtemp(join(tmpdir(), 'waypost-rights-'))
await chmod(directory, 0o711) // PostgreSQL may run as another user, who needs to traverse it.
const cluster = await startPostgres({
  data: join(directory, 'data'),
  socket: join(directory, 'socket'),
  durable: false,
  settings: { synchronous_commit: 'off', full_page_writes: 'off' },
})
try {
  process.exitCode = (await run()) ? 0 : 1
} finally {
  await cluster.stop()
  await rm(directory, { recursive: true, force: true })
}

/** Whether both ways agree. */
async function run(): Promise<boolean> {
  const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: cluster.host, database: 'rights' })
  await migrate({ url: ownerUrl, appRole: APP_ROLE })
  const owner = openDatabase({ connectionString: ownerUrl, max: 1 })
  await seed(owner)
  await owner.destroy()
  const config = readConfig({
    WAYPOST_ENVIRONMENT: 'test',
    WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
    WAYPOST_LOG_LEVEL: 'error',
    WAYPOST_RATE_LIMIT_FACTOR: '10000',
    WAYPOST_DATABASE_URL: appUrl,
    WAYPOST_FILES: join(directory, 'files'),
  })
  const context = await createContext(config, { now: () => new Date() })
  const server = createServer(context, createSignIn(context), ROUTES, WEB_PAGES)
  const api = createTestClient(await server.listen({ port: 0, host: '127.0.0.1' }))
  try {
    const figures = await compareWorlds(
      { api, context },
      {
        seed: values.seed,
        worlds: Number(values.worlds),
        report: (worlds, so) => worlds % PROGRESS_INTERVAL === 0 && print(describe(worlds, so)),
      },
    )
    for (const difference of figures.differences.slice(0, 5)) print(difference)
    print(`Done: ${describe(Number(values.worlds), figures)}`)
    return figures.differences.length === 0
  } finally {
    server.server.closeAllConnections()
    await server.close()
    await closePools(context.pools)
  }
}
