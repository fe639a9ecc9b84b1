import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Plant } from '../server/src/platform/operation/failpoints.ts'
import { freePort, type ServerProcess, startServerProcess } from '../server/test/server-process.ts'

/** A server that is started again whenever it ends, as a supervisor would, on the port that it keeps. */
export interface Server {
  readonly origin: string
  /** Resolves when the next one answers. */
  kill(): Promise<void>
  /** The next ones kill themselves, each at one of these steps (`name:pass`); resolves with those that were passed in time. */
  crashAt(steps: readonly string[]): Promise<string[]>
  /** Nothing answers, and all connections stay. */
  freeze(milliseconds: number): Promise<void>
  /** Told to end, it ends what it has begun. The next ones are of the version in that folder; without one, of this. */
  restart(version?: string): Promise<void>
  stop(): Promise<void>
}

export interface ServerOptions {
  readonly databaseUrl: string
  readonly files: string
  readonly works: boolean
  readonly plant?: Plant | undefined
  /** The folder of an older version to begin with. */
  readonly older?: string | undefined
  readonly log: (line: string) => void
}

const PATIENCE = 120_000
const STEP_PATIENCE = 8_000

export async function startServer(options: ServerOptions): Promise<Server> {
  const port = await freePort()
  let version = options.older
  const start = async (crash?: string): Promise<ServerProcess> => {
    const environment = {
      WAYPOST_DATABASE_URL: options.databaseUrl,
      WAYPOST_LOG_LEVEL: 'error',
      WAYPOST_PORT: String(port),
      WAYPOST_ROLES: options.works ? 'api,worker' : 'api',
      WAYPOST_FILES: options.files,
      ...(options.plant && { WAYPOST_PLANT: options.plant }),
      ...(crash !== undefined && { WAYPOST_CRASH: crash }),
    }
    for (const end = Date.now() + PATIENCE; ; await pause(300)) {
      try {
        return await startServerProcess(environment, true, options.log, version && join(version, 'server/src/main.ts'))
      } catch (error) {
        if (Date.now() > end) throw error // Without a database none starts; it is tried again.
      }
    }
  }
  let server = await start()
  let [isStopped, isExpected] = [false, false]
  const again = async (crash?: string) => {
    if (isStopped) return
    server = await start(crash)
    isExpected = false
    guard(server)
  }
  // One that ends without being told to is started again too: the worker gives up when it has lost its database.
  const guard = (guarded: ServerProcess) => {
    void restartAfter(guarded)
  }
  const restartAfter = async (guarded: ServerProcess) => {
    const how = await guarded.ended
    if (isStopped || isExpected || guarded !== server) return
    options.log(`A server ended by itself: ${how}\n`)
    await again()
  }
  guard(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    async kill() {
      isExpected = true
      await server.stop('SIGKILL')
      await again()
    },
    async crashAt(steps) {
      isExpected = true
      const hit: string[] = []
      await server.stop('SIGKILL')
      for (const step of steps) {
        server = await start(step)
        const how = await Promise.race([server.ended, pause(STEP_PATIENCE, 'alive' as const)])
        if (how === 'alive') await server.stop('SIGKILL')
        else hit.push(step)
      }
      await again()
      return hit
    },
    async freeze(milliseconds) {
      process.kill(server.pid, 'SIGSTOP')
      await pause(milliseconds)
      process.kill(server.pid, 'SIGCONT')
    },
    async restart(next) {
      version = next
      isExpected = true
      await server.stop('SIGTERM')
      await again()
    },
    async stop() {
      isStopped = true
      await server.stop('SIGKILL')
    },
  }
}
