import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createRolesAndDatabase, startPostgres } from '../server/src/platform/database/local-postgres.ts'
import { exportCommit, npm } from './make-release.ts'

const run = promisify(execFile)
const READY_TIMEOUT_MS = 60_000
const WORKSPACES = ['server', 'sdk', 'web']

/** Whether the server of a commit becomes ready on an empty database that its own migrations have filled. */
export interface StartedCommit {
  readonly commit: string
  readonly subject: string
  /** Undefined if it started. */
  readonly failure: string | undefined
}

/** Starts each commit after `since`, oldest first, with the packages of its own lock file. */
export async function* startEachCommit(since: string, until = 'HEAD'): AsyncGenerator<StartedCommit> {
  const { stdout } = await run('git', ['log', '--reverse', '--format=%H %s', `${since}..${until}`])
  const folder = await mkdtemp(join(tmpdir(), 'waypost-starts-'))
  await chmod(folder, 0o711) // PostgreSQL may run as another user, who has to enter it.
  const cluster = await startPostgres({ data: join(folder, 'data'), socket: join(folder, 'socket'), durable: false })
  const packages = new Map<string, string>()
  try {
    for (const [at, line] of stdout.split('\n').filter(Boolean).entries()) {
      const [commit = '', ...words] = line.split(' ')
      const tree = join(folder, 'trees', commit)
      const urls = await createRolesAndDatabase({ host: cluster.host, database: `start_${at}` })
      const failure = await startCommit(commit, tree, urls, packages).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      yield { commit, subject: words.join(' '), failure }
      if (![...packages.values()].includes(tree)) await rm(tree, { recursive: true, force: true })
    }
  } finally {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startCommit(
  commit: string,
  tree: string,
  urls: { ownerUrl: string; appUrl: string },
  packages: Map<string, string>,
): Promise<void> {
  await mkdir(tree, { recursive: true })
  await exportCommit(commit, tree)
  await installPackages(tree, packages)
  const port = await findPort()
  const environment = {
    PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`,
    WAYPOST_ENVIRONMENT: 'test',
    WAYPOST_DATABASE_URL: urls.appUrl,
    WAYPOST_MIGRATE_URL: urls.ownerUrl,
    WAYPOST_SECRET_KEYS: 'a-key-for-servers-that-are-only-started',
    WAYPOST_PUBLIC_URL: `http://127.0.0.1:${port}`,
    WAYPOST_PORT: String(port),
    WAYPOST_FILES: join(tree, 'files'),
    WAYPOST_DRAIN_SECONDS: '0',
  }
  await run(process.execPath, ['server/bin/waypost', 'migrate'], { cwd: tree, env: environment })
  const server = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: tree,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
  const ended = once(server, 'exit')
  try {
    await untilReadyOrEnded(port, ended)
  } catch (error) {
    throw new Error(`The server did not start:\n${output}`, { cause: error })
  } finally {
    server.kill('SIGKILL')
    await ended
  }
}

/** Commits with the same lock file share one installation; each has links to its own workspaces. */
async function installPackages(tree: string, installed: Map<string, string>): Promise<void> {
  const lock = await readFile(join(tree, 'package-lock.json'), 'utf8')
  const known = installed.get(lock)
  if (known === undefined) {
    await npm(tree, 'ci', '--prefer-offline', '--no-progress', '--omit=dev')
    installed.set(lock, tree)
    return
  }
  await run('cp', ['--archive', '--link', join(known, 'node_modules'), join(tree, 'node_modules')])
  for (const name of WORKSPACES) {
    await rm(join(tree, 'node_modules/@waypost', name), { force: true })
    await symlink(join('../..', name), join(tree, 'node_modules/@waypost', name))
  }
}

async function untilReadyOrEnded(port: number, ended: Promise<unknown>): Promise<void> {
  const over = ended.then(() => true)
  for (const end = Date.now() + READY_TIMEOUT_MS; Date.now() < end; await pause(50)) {
    if (await Promise.race([over, pause(0, false)])) throw new Error('The server ended.')
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (response?.ok) return
  }
  throw new Error(`The server was not ready after ${READY_TIMEOUT_MS / 1000} seconds.`)
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.')
  return address.port
}
