import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, fstatSync, openSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client, DatabaseError, escapeIdentifier } from 'pg'
import { findBinaries } from './postgres-binaries.ts'

/** A private PostgreSQL for tests, development and measurements. */
export interface LocalPostgres {
  /** The directory of the socket, used as host of connections. */
  readonly host: string
  readonly port: number
  readonly version: string
  /** Ends all sessions and waits until everything is written. */
  stop(): Promise<void>
  /** Ends it like a power failure. */
  kill(): Promise<void>
}

interface LocalPostgresOptions {
  /** The data directory; created if absent. */
  readonly data: string
  /** The directory of the socket, unless its path is too long: see `host`. */
  readonly socket: string
  /** Also listens on TCP loopback, where roles need a password. */
  readonly port?: number
  /** Whether commits wait for the disk. */
  readonly durable: boolean
  readonly settings?: Readonly<Record<string, string>>
}

interface User {
  readonly uid: number
  readonly gid: number
}

const OWNER_ROLE = 'waypost_owner'
export const APP_ROLE = 'waypost_app'

const run = promisify(execFile)
const START_TIMEOUT_MS = 60_000
// Locale, time zone and PG… variables of the caller must not influence the cluster.
const ENVIRONMENT = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }

export async function startPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const data = resolve(options.data)
  const port = options.port ?? 5432
  const user = await unprivilegedUser()
  const major = await majorOfData(data)
  const binaries = await findBinaries(major)
  if (major === undefined) await createData(binaries, data, user, options.durable)
  const host = await prepareSocket(resolve(options.socket), port, user)

  const settings = {
    listen_addresses: options.port === undefined ? '' : '127.0.0.1',
    port: String(port),
    unix_socket_directories: `"${host.replaceAll('"', '""')}"`, // The setting is a list: quotes keep a comma in the path.
    unix_socket_permissions: '0700', // The socket trusts every user who may open it.
    ...(options.durable ? {} : { fsync: 'off' }),
    ...options.settings,
  }
  const start = [join(binaries, 'postgres'), '-D', data]
  for (const [name, value] of Object.entries(settings)) start.push('-c', `${name}=${value}`)

  await waitForPredecessor(data, [join(data, 'postmaster.pid'), join(host, `.s.PGSQL.${port}.lock`)])
  const { version, end } = await launch(start, { host, port, user, log: `${data}.log` })
  const endWith = async (signal: NodeJS.Signals) => {
    await end(signal)
    if (host !== resolve(options.socket)) await rm(host, { recursive: true, force: true })
  }
  // SIGINT ends the sessions; SIGTERM would wait for them.
  return { host, port, version, stop: () => endWith('SIGINT'), kill: () => endWith('SIGKILL') }
}

/** Creates the two roles and the database if absent; returns the URL of each role. */
export async function createRolesAndDatabase(options: {
  readonly host: string
  readonly port?: number
  readonly database: string
  /** The database to clone, which must have no connections. */
  readonly template?: string
}): Promise<{ ownerUrl: string; appUrl: string }> {
  const { host, port = 5432, database, template = 'template0' } = options
  const name = escapeIdentifier(database)
  await withAdministrator({ host, port, database: 'postgres' }, async (administrator) => {
    const create = (statement: string) => administrator.query(statement).catch(acceptDuplicate)
    await create(`create role ${OWNER_ROLE} login`)
    await create(`create role ${APP_ROLE} login`)
    await create(`create database ${name} owner ${OWNER_ROLE} template ${escapeIdentifier(template)}`)
    await administrator.query(`revoke all on database ${name} from public`)
    await administrator.query(`grant connect on database ${name} to ${APP_ROLE}`)
  })
  await withAdministrator({ host, port, database }, async (administrator) => {
    const available = await administrator.query("select from pg_available_extensions where name = 'pg_trgm'")
    if (available.rowCount) await administrator.query('create extension if not exists pg_trgm').catch(acceptDuplicate)
  })
  const url = (role: string) =>
    `postgresql://${role}@/${encodeURIComponent(database)}?host=${encodeURIComponent(host)}&port=${port}`
  return { ownerUrl: url(OWNER_ROLE), appUrl: url(APP_ROLE) }
}

export async function withAdministrator<Result>(
  where: { readonly host: string; readonly port?: number; readonly database: string },
  work: (administrator: Client) => Promise<Result>,
): Promise<Result> {
  const administrator = new Client({ port: 5432, ...where, user: 'postgres', ssl: false })
  try {
    await administrator.connect()
    return await work(administrator)
  } finally {
    await administrator.end()
  }
}

function acceptDuplicate(error: unknown): void {
  // duplicate_object, duplicate_database, and unique_violation if two processes create the same at once.
  const codes = ['42710', '42P04', '23505']
  if (!(error instanceof DatabaseError) || !codes.includes(error.code ?? '')) throw error
}

// The shell becomes PostgreSQL itself and leaves a grandchild that holds our pipe. If we die, even by SIGKILL, the pipe
// closes and the grandchild stops PostgreSQL. All parameters are passed as arguments.
const STOP_WITH_PARENT_SCRIPT = '( (read -r line <&3 || kill -INT $$) & ); exec "$@" 3<&-'

async function launch(
  start: readonly string[],
  { host, port, user, log }: { host: string; port: number; user: User | undefined; log: string },
) {
  const output = openSync(log, 'a', 0o600)
  const before = fstatSync(output).size
  const postgres = spawn('/bin/sh', ['-c', STOP_WITH_PARENT_SCRIPT, 'sh', ...start], {
    ...user,
    cwd: '/',
    env: ENVIRONMENT,
    detached: true, // PostgreSQL must outlive our last statements, so Ctrl-C must not reach it.
    stdio: ['ignore', output, output, 'pipe'],
  })
  closeSync(output)
  const exit = once(postgres, 'exit')
  const [, , , lifeline] = postgres.stdio // Not stdin, which Node closes before it reports the exit.
  if (!(lifeline instanceof Writable)) throw new Error('The pipe to PostgreSQL is missing.')
  lifeline.on('error', () => {}) // The grandchild may exit first.
  postgres.once('exit', () => lifeline.end('ended\n'))
  const end = async (signal: NodeJS.Signals) => {
    postgres.kill(signal)
    await exit
  }

  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    try {
      const version = await withAdministrator({ host, port, database: 'postgres' }, async (administrator) => {
        const { rows } = await administrator.query<{ version: string }>(
          "select current_setting('server_version') as version",
        )
        return rows[0]?.version.split(' ')[0] ?? ''
      })
      return { version, end }
    } catch (error) {
      const ended = postgres.exitCode !== null || postgres.signalCode !== null
      if (ended || Date.now() > deadline) {
        await end('SIGQUIT')
        const said = (await readFile(log)).subarray(before).toString()
        throw new Error(`PostgreSQL did not start:\n${said}`, { cause: error })
      }
    }
    await pause(50)
  }
}

/**
 * After a kill, the sessions need a moment to end. PostgreSQL removes the lock of a dead process, but mistakes any
 * process that has got the same pid for it.
 */
async function waitForPredecessor(data: string, locks: readonly string[]): Promise<void> {
  if (!existsSync('/proc/self')) return
  const home = await realpath(data)
  const deadline = Date.now() + START_TIMEOUT_MS
  for (let others = await postgresIn(home); others.length > 0; others = await postgresIn(home)) {
    if (Date.now() > deadline) throw new Error(`PostgreSQL is already running in ${data}, as process ${others[0]}.`)
    await pause(100)
  }
  for (const lock of locks) {
    const [, owner] = (await readFile(lock, 'utf8').catch(() => '')).split('\n')
    if (owner === data) await rm(lock, { force: true })
  }
}

async function postgresIn(home: string): Promise<string[]> {
  const found = []
  for (const id of await readdir('/proc')) {
    const directory = join('/proc', id)
    const name = await readFile(join(directory, 'comm'), 'utf8').catch(() => '')
    if (name.trim() === 'postgres' && (await readlink(join(directory, 'cwd')).catch(() => '')) === home) found.push(id)
  }
  return found
}

async function majorOfData(data: string): Promise<string | undefined> {
  const entries = existsSync(data) ? await readdir(data) : []
  if (entries.length === 0) return undefined
  if (!entries.includes('PG_VERSION')) throw new Error(`${data} is neither empty nor a PostgreSQL data directory.`)
  return (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim()
}

/** Created under a temporary name and renamed, so that a kill leaves no partial directory. */
async function createData(binaries: string, data: string, user: User | undefined, durable: boolean): Promise<void> {
  await mkdir(dirname(data), { recursive: true })
  if (!(await isReachable(dirname(data), user)))
    throw new Error(`PostgreSQL does not run as root, and the user nobody cannot enter ${dirname(data)}.`)
  const initdb = (locale: string) => async () => {
    const fresh = await mkdtemp(`${data}.new-`)
    try {
      if (user) await chown(fresh, user.uid, user.gid)
      const flags = ['--auth-local=trust', '--auth-host=scram-sha-256', '--encoding=UTF8', `--locale=${locale}`]
      if (!durable) flags.push('--no-sync')
      const options = { ...user, cwd: '/', env: ENVIRONMENT }
      await run(join(binaries, 'initdb'), ['-D', fresh, '-U', 'postgres', ...flags], options)
      await rename(fresh, data)
    } finally {
      await rm(fresh, { recursive: true, force: true })
    }
  }
  await initdb('C.UTF-8')().catch(initdb('C')) // Some systems lack the first locale.
}

async function prepareSocket(wanted: string, port: number, user: User | undefined): Promise<string> {
  await mkdir(wanted, { recursive: true })
  const fits = Buffer.byteLength(join(wanted, `.s.PGSQL.${port}`)) <= 100 // The limit of the system is 107.
  const host = fits && (await isReachable(dirname(wanted), user)) ? wanted : await mkdtemp('/tmp/waypost-')
  if (user && (await readdir(host)).length === 0) await chown(host, user.uid, user.gid)
  return host
}

/** PostgreSQL refuses to run as root. */
export async function unprivilegedUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const id = async (flag: string) => Number((await run('id', [flag, 'nobody'])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

async function isReachable(directory: string, user: User | undefined): Promise<boolean> {
  return run('test', ['-x', directory], { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  )
}
