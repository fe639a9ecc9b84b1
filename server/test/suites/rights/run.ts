import { parseArgs } from 'node:util'
import { createSignIn } from '../../../src/accounts/sign-in/sign-in.ts'
import { createContext } from '../../../src/context.ts'
import { WEB_PAGES } from '../../../src/pages.ts'
import { closePools } from '../../../src/platform/database/pools.ts'
import { createServer } from '../../../src/platform/http/http.ts'
import { readConfig } from '../../../src/platform/operation/config.ts'
import { ROUTES } from '../../../src/routes.ts'
import { createTestClient } from '../../harness/client.ts'
import { type IsolatedEnvironment, withIsolatedEnvironment } from '../../harness/isolated-environment.ts'
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

process.exitCode = (await withIsolatedEnvironment({ name: 'rights', servers: 0 }, agree)) ? 0 : 1

/** Whether both ways agree, in a server of this process. */
async function agree({ appUrl, files }: Pick<IsolatedEnvironment, 'appUrl' | 'files'>): Promise<boolean> {
  const config = readConfig({
    WAYPOST_ENVIRONMENT: 'test',
    WAYPOST_SECRET_KEYS: 'a-secret-key-of-the-tests-that-is-long-enough',
    WAYPOST_LOG_LEVEL: 'error',
    WAYPOST_RATE_LIMIT_FACTOR: '10000',
    WAYPOST_DATABASE_URL: appUrl,
    WAYPOST_FILES: files,
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
