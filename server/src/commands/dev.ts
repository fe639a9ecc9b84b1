import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createContext } from '../context.ts'
import { choosePort } from './choose-port.ts'
import { hasApache, startApache } from '../repositories/disk/start-apache.ts'
import { readConfig } from '../platform/operation/config.ts'
import type { Context } from '../platform/operation/context.ts'
import {
  APP_ROLE,
  createRolesAndDatabase,
  type LocalPostgres,
  startPostgres,
} from '../platform/database/local-postgres.ts'
import { migrate } from '../platform/database/migrate.ts'
import { describeFailure } from '../platform/messages/describe-failure.ts'
import { type DemoAccount, loadDemoData, loadEmptySite } from './demo/load-demo-data.ts'
import { startMailCatcher } from './mail-catcher.ts'
import { postgresFolder } from './postgres-folder.ts'
import { print, table } from './print.ts'
import { requireLoopback } from './require-loopback.ts'
import { closePools } from '../platform/database/pools.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Starts everything on one machine: PostgreSQL, demo data, the server. `--empty`: only an administrator. */
async function develop(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8080' },
      data: { type: 'string', default: fileURLToPath(new URL('../../../.data', import.meta.url)) },
      json: { type: 'boolean', default: false },
      empty: { type: 'boolean', default: false },
      expose: { type: 'boolean', default: false },
    },
  })
  if (!values.expose) requireLoopback(process.env)
  const data = resolve(values.data)
  await mkdir(data, { recursive: true })
  const stopping = waitForSignal()
  const port = await choosePort(Number(values.port))
  const folder = await postgresFolder(data)
  const postgres = await startPostgres({
    data: join(folder, 'postgres'),
    socket: join(folder, 'socket'),
    durable: true,
  })
  const mails = await startMailCatcher(join(data, 'mails'))
  try {
    const environment = {
      WAYPOST_SMTP_URL: mails.url,
      ...(await prepareEnvironment(postgres, data, folder, port)),
    }
    const accounts = await demoAccounts(environment, data, values.empty ? loadEmptySite : loadDemoData)
    const url = environment.WAYPOST_PUBLIC_URL
    const svn = hasApache() ? subversionEnvironment(folder, port).WAYPOST_SVN_URL : undefined
    const apache = hasApache() ? await startApache(readConfig(environment)) : undefined
    try {
      await runServer(environment, stopping, () =>
        print(values.json ? JSON.stringify({ url, svn, accounts, data }) : greeting(url, svn, accounts, data)),
      )
    } finally {
      await apache?.stop()
    }
  } finally {
    await mails.stop()
    await postgres.stop()
  }
}

async function prepareEnvironment(postgres: LocalPostgres, data: string, open: string, port: number) {
  const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: postgres.host, database: 'waypost' })
  await migrate({ url: ownerUrl, appRole: APP_ROLE })
  return {
    WAYPOST_ENVIRONMENT: 'development',
    WAYPOST_DRAIN_SECONDS: '0', // No load balancer to wait for.
    WAYPOST_LOG_LEVEL: 'warn',
    WAYPOST_PUBLIC_URL: `http://localhost:${port}`,
    WAYPOST_FILES: join(data, 'files'),
    ...(hasApache() && subversionEnvironment(open, port)),
    ...definedVariables(process.env),
    WAYPOST_DATABASE_URL: appUrl,
    WAYPOST_MIGRATE_URL: ownerUrl,
    WAYPOST_PORT: String(port),
    WAYPOST_SECRET_KEYS: await readOrCreateFile(join(data, 'secret'), () => randomBytes(32).toString('hex')),
  }
}

/** Apache gets the port after that of the server, and a folder that another user can enter. */
function subversionEnvironment(open: string, port: number) {
  return {
    WAYPOST_SVN_ROOT: join(open, 'svn'),
    WAYPOST_SVN_LISTEN: `127.0.0.1:${port + 1}`,
    WAYPOST_SVN_URL: `http://localhost:${port + 1}/svn`,
  }
}

/** Created at the first start; the keys are kept beside the data, because the database has only hashes. */
async function demoAccounts(
  environment: Record<string, string>,
  data: string,
  load: (context: Context) => Promise<DemoAccount[]>,
): Promise<DemoAccount[]> {
  const kept = await readOrCreateFile(join(data, 'demo-accounts.json'), async () => {
    const context = await createContext(readConfig(environment))
    try {
      return JSON.stringify(await load(context))
    } finally {
      await closePools(context.pools)
    }
  })
  return JSON.parse(kept)
}

async function readOrCreateFile(file: string, make: () => string | Promise<string>): Promise<string> {
  if (existsSync(file)) return readFile(file, 'utf8')
  const made = await make()
  await writeFile(file, made, { mode: 0o600 })
  return made
}

/** Runs the server as in production, in a separate process that ends before the database. */
async function runServer(
  environment: Record<string, string>,
  stopping: Promise<void>,
  ready: () => void,
): Promise<void> {
  // Detached: Ctrl-C reaches only this process, which stops the others in order.
  const server = spawn(process.execPath, [MAIN], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  const ended = once(server, 'exit')
  const over = new AbortController()
  const isUp = await Promise.race([
    waitUntilReady(environment['WAYPOST_PORT'] ?? '', over.signal),
    ended.then(() => false),
    stopping.then(() => false),
  ])
  over.abort()
  if (isUp) ready()
  await Promise.race([stopping, ended])
  if (server.exitCode === null) server.kill('SIGTERM')
  await ended
  if (server.exitCode !== 0) process.exitCode = 1
}

async function waitUntilReady(port: string, over: AbortSignal): Promise<boolean> {
  while (!over.aborted) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: over }).catch(() => undefined)
    if (answer?.ok) return true
    await new Promise((next) => setTimeout(next, 50))
  }
  return false
}

function waitForSignal(): Promise<void> {
  return new Promise((next) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => next())
  })
}

function greeting(url: string, svn: string | undefined, accounts: readonly DemoAccount[], data: string): string {
  const rows = accounts.map(({ username, password, site_admin }) => [
    username,
    password,
    site_admin ? 'site administrator' : '',
  ])
  return [
    '',
    `Waypost is ready:   ${url}`,
    `API:                ${url}/api/projects`,
    `Explorer:           ${url}/api/explorer/`,
    `Subversion:         ${svn ?? 'off; to have it: npm run setup'}`,
    `Data:               ${data}`,
    `Mails:              ${join(data, 'mails')}`,
    '',
    table([['login', 'password', ''], ...rows]),
    '',
    `Access key of ${accounts[0]?.username}, for X-Auth-AccessKey:`,
    `  ${accounts[0]?.key}`,
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n')
}

function definedVariables(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

await develop().catch((error: unknown) => {
  process.stderr.write(`${describeFailure(error)}\n`)
  process.exitCode = 1
})
