import { afterAll, beforeEach } from 'vitest'
import { createSignIn } from '../../src/accounts/sign-in/sign-in.ts'
import { createContext } from '../../src/context.ts'
import { WEB_PAGES } from '../../src/pages.ts'
import { type Config, readConfig } from '../../src/platform/operation/config.ts'
import type { Clock, Context } from '../../src/platform/operation/context.ts'
import { createServer, type HttpServer } from '../../src/platform/http/http.ts'
import { serveWebUi, type WebUi } from '../../src/platform/http/web-ui.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { ROUTES } from '../../src/routes.ts'
import { type TestClient, createTestClient } from './client.ts'
import { borrowSeededDatabase } from './database.ts'
import { filesEnvironment, svnRootOf } from './storage-settings.ts'
import { restoreSeedSnapshot } from '../fixtures/seed-snapshot.ts'
import { closePools } from '../../src/platform/database/pools.ts'

/** A test clock. It stands still unless it is moved. */
interface TestClock extends Clock {
  set(time: Date | string): void
  advance(milliseconds: number): void
}

interface World {
  readonly context: Context
  readonly clock: TestClock
  readonly api: TestClient
  /**
   * Another server on the same database, with its own context, pool, caches and optionally clock, like a second
   * process.
   */
  readonly startAnother: (itsClock?: Clock) => Promise<{ context: Context; server: HttpServer; api: TestClient }>
}

export const TEST_NOW = new Date('2026-03-01T09:30:00Z')

/** A server with its own database and the test people and projects, reseeded before each test. */
export async function startWorld(
  options: {
    environment?: Record<string, string>
    routes?: readonly Route[]
    seedOnce?: boolean
    webUi?: WebUi
    /** Of the first server, if its public address has to be its own. */
    port?: number
  } = {},
): Promise<World> {
  const database = await borrowSeededDatabase()
  const config = testConfig({ WAYPOST_DATABASE_URL: database.appUrl, ...options.environment })
  const clock = createTestClock()
  const start = async (itsClock: Clock = clock, port = 0) => {
    const context = await createContext(config, itsClock)
    const server = createServer(context, createSignIn(context), options.routes ?? ROUTES, WEB_PAGES)
    if (options.webUi) serveWebUi(server, options.webUi, config, () => context.settings.current.language)
    afterAll(async () => {
      server.server.closeAllConnections() // `close` would wait for connections that a client opened and never used.
      await server.close()
      await closePools(context.pools)
    })
    return { context, server, api: createTestClient(await server.listen({ port, host: '127.0.0.1' })) }
  }
  const reset = async () => {
    clock.set(TEST_NOW)
    await restoreSeedSnapshot(database.owner)
  }
  await reset()
  if (!options.seedOnce) beforeEach(reset)
  const first = await start(clock, options.port)
  return { ...first, clock, startAnother: (itsClock) => start(itsClock) }
}

export function testConfig(environment: Record<string, string> & { WAYPOST_DATABASE_URL: string }): Config {
  return readConfig({
    WAYPOST_ENVIRONMENT: 'test',
    WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
    WAYPOST_PUBLIC_URL: 'https://waypost.example',
    WAYPOST_RATE_LIMIT_FACTOR: '10000', // Tests about rate limits set 1.
    WAYPOST_LOG_LEVEL: process.env['WAYPOST_TEST_LOG'] ?? 'silent',
    ...filesEnvironment(environment.WAYPOST_DATABASE_URL),
    WAYPOST_SVN_ROOT: svnRootOf(environment.WAYPOST_DATABASE_URL),
    ...environment,
  })
}

function createTestClock(): TestClock {
  let time = TEST_NOW.getTime()
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
