import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { table } from '../../../src/commands/print.ts'
import { openDatabase } from '../../../src/platform/database/db.ts'
import { APP_ROLE, createRolesAndDatabase, startPostgres } from '../../../src/platform/database/local-postgres.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { seed as seedPeople } from '../../fixtures/seed.ts'
import { startServerProcess } from '../../harness/server-process.ts'
import { playOperations } from './play-operations.ts'

// Random writes through two server processes with caches; every response is compared with that of a third one without a
// cache: `npm run cached -- --operations 100000 --seed 1 [--differences 10] [--mib 8]`.
const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    differences: { type: 'string', default: '10' },
    mib: { type: 'string', default: '8' },
  },
})
const print = (text: string) => process.stdout.write(`${text}\n`)
const ends: (() => Promise<unknown>)[] = []
const stop = async () => {
  for (const end of ends.splice(0).toReversed()) await end()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().finally(() => process.exit(130)))

try {
  const began = Date.now()
  const { cached, fresh } = await start()
  const { differences, compared, kinds } = await playOperations({
    cached: [cached[0].api, cached[1].api],
    fresh: fresh.api,
    seed: values.seed,
    operations: Number(values.operations),
    maxDifferences: Number(values.differences),
    tell: print,
  })
  const rows = [...kinds].map(([kind, { made, refused }]) => [kind, String(made), String(refused)])
  print(table([['operation', 'made', 'refused'], ...rows]))
  for (const { api } of cached) print(await lookups(api.origin))
  const seconds = Math.round((Date.now() - began) / 1000)
  print(`${differences} differences in ${compared} comparisons, seed ${values.seed}, ${seconds} s`)
  if (differences > 0) process.exitCode = 1
} finally {
  await stop()
}

/** Three server processes on a cluster of their own. */
async function start() {
  const directory = await mkdtemp(join(tmpdir(), 'waypost-cached-'))
  ends.push(() => rm(directory, { recursive: true, force: true }))
  await chmod(directory, 0o711) // PostgreSQL may run as another user, who has to enter it.
  const cluster = await startPostgres({
    data: join(directory, 'data'),
    socket: join(directory, 'socket'),
    durable: false,
  })
  ends.push(() => cluster.stop())
  const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: cluster.host, database: 'cached' })
  await migrate({ url: ownerUrl, appRole: APP_ROLE })
  const db = openDatabase({ connectionString: ownerUrl, max: 2 })
  await seedPeople(db)
  await db.destroy()
  const serve = async (mebibytes: string) => {
    const server = await startServerProcess({
      WAYPOST_DATABASE_URL: appUrl,
      WAYPOST_FILES: join(directory, 'files'),
      WAYPOST_LOG_LEVEL: 'error',
      WAYPOST_CACHE_MIB: mebibytes,
    })
    ends.push(() => server.stop())
    return server
  }
  return { cached: [await serve(values.mib), await serve(values.mib)] as const, fresh: await serve('0') }
}

/** The lines of `/metrics` about the cache. */
async function lookups(origin: string): Promise<string> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith('waypost_cache_'))
    .join('\n')
}
