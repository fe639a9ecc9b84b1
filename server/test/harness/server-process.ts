import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../src/platform/operation/free-port.ts'
import { type TestClient, createTestClient } from './client.ts'
import { filesEnvironment } from './storage-settings.ts'
import { COMPILE_CACHE } from './compile-cache.ts'

export interface ServerProcess {
  readonly api: TestClient
  readonly pid: number
  /** All output so far: logs and errors. */
  output(): string
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

/** The secret key of test servers. */
export const SECRET_KEY = 'a-secret-key-of-the-tests-that-is-long-enough'
export const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
/** Tests stop servers often, and no load balancer has to notice. */
const AT_ONCE = { WAYPOST_DRAIN_SECONDS: '0' }
const PLANTED = new URL('planted-faults/register.ts', import.meta.url).href

/**
 * The server as in production, plus failpoints, in a separate process. Its output is kept unless `stdio` redirects it.
 * `main` may be that of another version.
 */
export async function startServerProcess(
  environment: ServerEnvironment,
  faults = false,
  take?: (written: string) => void,
  main = MAIN,
): Promise<ServerProcess> {
  const port = Number(environment['WAYPOST_PORT'] ?? (await freePort()))
  const planted = environment['WAYPOST_PLANT'] === undefined ? [] : ['--import', PLANTED]
  const child = spawn(process.execPath, [...(faults ? ['--conditions=faults', ...planted] : []), main], {
    // Another version may not know all variables.
    env: { ...(main === MAIN && AT_ONCE), ...environmentOfServer(environment, port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      if (take) take(chunk.toString())
      else written += chunk.toString()
    })
  const ended = endOf(child)
  await untilReady(port, ended, () => written).catch((error: unknown) => {
    // A server with a failpoint may die before it reports that it is ready.
    if (environment['WAYPOST_CRASH'] !== undefined && child.signalCode === 'SIGKILL') return
    child.kill('SIGKILL')
    throw error
  })
  return {
    api: createTestClient(`http://127.0.0.1:${port}`),
    pid: child.pid ?? 0,
    output: () => written,
    ended,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

type ServerEnvironment = Record<string, string> & { WAYPOST_DATABASE_URL: string }

export function environmentOfServer(environment: ServerEnvironment, port: number): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    ...COMPILE_CACHE,
    WAYPOST_ENVIRONMENT: 'test',
    WAYPOST_SECRET_KEYS: SECRET_KEY,
    WAYPOST_PORT: String(port),
    WAYPOST_PUBLIC_URL: 'https://waypost.example',
    WAYPOST_ROLES: 'api',
    WAYPOST_RATE_LIMIT_FACTOR: '10000',
    ...filesEnvironment(environment.WAYPOST_DATABASE_URL),
    ...environment,
  }
}

async function endOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
  await once(child, 'exit')
  return child.exitCode ?? child.signalCode ?? 'SIGKILL'
}

export async function untilReady(port: number, ended: Promise<unknown>, output: () => string): Promise<void> {
  const over = ended.then(() => true)
  for (let attempt = 0; attempt < 1200; attempt++) {
    if (await Promise.race([over, pause(0, false)])) break
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await pause(50)
  }
  throw new Error(`The server did not become ready:\n${output()}`)
}
