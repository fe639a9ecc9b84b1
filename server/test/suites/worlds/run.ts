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
import { createServer } from '../../../src/platform/http/http.ts'
import { readConfig } from '../../../src/platform/operation/config.ts'
import { ROUTES } from '../../../src/routes.ts'
import { createTestClient } from '../../harness/client.ts'
import { seed as seedPeople } from '../../fixtures/seed.ts'
import { startWorldReceivers } from './receivers.ts'
import { runWorlds, type WorldFigures } from './run-worlds.ts'
import type { WorldEnvironment } from './fixture.ts'

// Draws random rights, writes artifacts full of canaries, and searches webhook bodies, delivery logs, mails, the feed and
// its streams for canaries that their reader cannot GET at that moment: `npm run worlds -- --worlds 10000 --seed 1`.
// `--from 5000` begins with this world, so that two processes can share the work. `--replay 17` plays the worlds whose
// trackers world 17 shares, and ends with its batch.
const { values } = parseArgs({
  options: {
    worlds: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    replay: { type: 'string' },
  },
})
const PROGRESS_INTERVAL_MS = 60_000
const print = (text: string) => process.stdout.write(`${text}\n`)
const cleanup: (() => Promise<unknown>)[] = []
let isStopped = false
const stop = async () => {
  isStopped = true
  for (const end of cleanup.splice(0).toReversed()) await end()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().finally(() => process.exit(130)))

try {
  const ground = await start()
  const began = Date.now()
  const describe = ({ worlds, last, leaks, found, failures }: WorldFigures) => {
    const channels = [...found].map(([channel, count]) => `${channel} ${count}`).toSorted()
    const seconds = Math.round((Date.now() - began) / 1000)
    return `${worlds} worlds up to ${last} in ${seconds} s, seed ${values.seed}: ${leaks.length} leaks, ${failures.length} batches played again; readable canaries: ${channels.join(', ')}`
  }
  const [shown, failed, printed] = [{ count: 0 }, { count: 0 }, { on: began }]
  const run = {
    seed: values.seed,
    ...(values.replay === undefined
      ? { worlds: Number(values.worlds), from: Number(values.from) }
      : { worlds: 1, from: Number(values.replay) }),
    report(figures: WorldFigures) {
      for (; shown.count < figures.leaks.length; shown.count++) print(`LEAK ${figures.leaks[shown.count]}`)
      for (; failed.count < figures.failures.length; failed.count++) print(`AGAIN ${figures.failures[failed.count]}`)
      if (Date.now() - printed.on < PROGRESS_INTERVAL_MS) return
      printed.on = Date.now()
      print(describe(figures))
    },
  }
  const figures = await runWorlds(ground, run)
  print(`Done: ${describe(figures)}`)
  if (figures.leaks.length > 0) process.exitCode = 1
} catch (error) {
  if (!isStopped) throw error
} finally {
  await stop()
}

/** A server in this process on a cluster of its own, so that the worker's pumps can be run by hand. */
async function start(): Promise<WorldEnvironment> {
  const directory = await mkdtemp(join(tmpdir(), 'waypost-worlds-'))
  cleanup.push(() => rm(directory, { recursive: true, force: true }))
  await chmod(directory, 0o711) // PostgreSQL may run as another user, who has to pass.
  const places = { data: join(directory, 'data'), socket: join(directory, 'socket') }
  const cluster = await startPostgres({
    ...places,
    durable: false,
    settings: {
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_wal_size: '4GB',
      plan_cache_mode: 'force_generic_plan',
    },
  })
  cleanup.push(() => cluster.stop())
  const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: cluster.host, database: 'worlds' })
  await migrate({ url: ownerUrl, appRole: APP_ROLE })
  const db = openDatabase({ connectionString: ownerUrl, max: 1 })
  await seedPeople(db)
  await db.destroy()
  const peers = await startWorldReceivers()
  cleanup.push(() => peers.close())
  const config = readConfig({
    WAYPOST_ENVIRONMENT: 'test',
    WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
    WAYPOST_PUBLIC_URL: 'https://waypost.example',
    WAYPOST_LOG_LEVEL: 'error',
    WAYPOST_RATE_LIMIT_FACTOR: '10000',
    WAYPOST_DATABASE_URL: appUrl,
    WAYPOST_FILES: join(directory, 'files'),
    WAYPOST_SMTP_URL: peers.smtpUrl,
  })
  const context = await createContext(config, { now: () => new Date() })
  cleanup.push(() => context.db.destroy())
  const server = createServer(context, createSignIn(context), ROUTES, WEB_PAGES)
  cleanup.push(() => {
    server.server.closeAllConnections()
    return server.close()
  })
  return { api: createTestClient(await server.listen({ port: 0, host: '127.0.0.1' })), context, peers }
}
