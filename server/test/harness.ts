import { afterAll, beforeEach } from 'vitest'
import { createSignIn } from '../src/accounts/sign-in/sign-in.ts'
import { createContext } from '../src/context.ts'
import { PAGES } from '../src/pages.ts'
import { type Config, readConfig } from '../src/platform/operation/config.ts'
import type { Clock, Context } from '../src/platform/operation/context.ts'
import { createServer, type Server } from '../src/platform/http/http.ts'
import { serveWebUi, type WebUi } from '../src/platform/http/web-ui.ts'
import type { Route } from '../src/platform/http/route.ts'
import { ROUTES } from '../src/routes.ts'
import { type Client, createClient } from './client.ts'
import { borrowSeededDatabase } from './database.ts'
import { filesOf, svnRootOf } from './files-place.ts'
import { seedAgain } from './kept-seed.ts'

/** A clock that tests turn. It stands still unless it is moved. */
interface TestClock extends Clock {
  set(time: Date | string): void
  advance(milliseconds: number): void
}

interface World {
  readonly context: Context
  readonly clock: TestClock
  readonly api: Client
  /** Another process's server on the same database, as far as memory goes: its own context, pool and caches, perhaps clock. */
  readonly startAnother: (itsClock?: Clock) => Promise<{ context: Context; server: Server; api: Client }>
}

export const NOW = new Date('2026-03-01T09:30:00Z')

/** A server on a database of its own, with the test people and projects, seeded anew before each test. */
export async function startWorld(
  options: { environment?: Record<string, string>; routes?: readonly Route[]; seedOnce?: boolean; webUi?: WebUi } = {},
): Promise<World> {
  const database = await borrowSeededDatabase()
  const config = testConfig({ WAYPOST_DATABASE_URL: database.appUrl, ...options.environment })
  const clock = createTestClock()
  const start = async (itsClock: Clock = clock) => {
    const context = await createContext(config, itsClock)
    const server = createServer(context, createSignIn(context), options.routes ?? ROUTES, PAGES)
    if (options.webUi) serveWebUi(server, options.webUi, config)
    afterAll(async () => {
      server.server.closeAllConnections() // One that a client opened and never used would be waited for.
      await server.close()
      await context.db.destroy()
    })
    return { context, server, api: createClient(await server.listen({ port: 0, host: '127.0.0.1' })) }
  }
  const reset = async () => {
    clock.set(NOW)
    await seedAgain(database.owner)
  }
  await reset()
  if (!options.seedOnce) beforeEach(reset)
  const first = await start()
  return { ...first, clock, startAnother: start }
}

export function testConfig(environment: Record<string, string> & { WAYPOST_DATABASE_URL: string }): Config {
  return readConfig({
    WAYPOST_ENVIRONMENT: 'test',
    WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
    WAYPOST_PUBLIC_URL: 'https://waypost.example',
    WAYPOST_LOG_LEVEL: process.env['WAYPOST_TEST_LOG'] ?? 'silent',
    ...filesOf(environment.WAYPOST_DATABASE_URL),
    WAYPOST_SVN_ROOT: svnRootOf(environment.WAYPOST_DATABASE_URL),
    ...environment,
  })
}

function createTestClock(): TestClock {
  let time = NOW.getTime()
  return {
    now: () => new Date(time),
    set: (moment) => {
      time = new Date(moment).getTime()
    },
    advance: (milliseconds) => {
      time += milliseconds
    },
  }
}
