import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { PlantedFault } from '../server/test/harness/planted-faults/plant.ts'
import { freePort } from '../server/src/platform/operation/free-port.ts'
import { type ServerProcess, startServerProcess } from '../server/test/harness/server-process.ts'

/** A server that is restarted on its port whenever it ends, as by a supervisor. */
export interface SupervisedServer {
  readonly origin: string
  /** Resolves when the next process responds. */
  kill(): Promise<void>
  /** The next processes crash at one of these failpoints each (`name:pass`); resolves with those reached in time. */
  crashAt(steps: readonly string[]): Promise<string[]>
  /** SIGSTOP: nothing responds, and connections stay open. */
  freeze(milliseconds: number): Promise<void>
  /** Shuts down gracefully. The next process runs the version in that folder; by default the current one. */
  restart(version?: string): Promise<void>
  stop(): Promise<void>
}

export interface ServerOptions {
  readonly databaseUrl: string
  readonly files: string
  readonly works: boolean
  readonly plant?: PlantedFault | undefined
  /** The folder of an older version to start with. */
  readonly older?: string | undefined
  readonly log: (line: string) => void
}

const START_TIMEOUT_MS = 120_000
const STEP_TIMEOUT_MS = 8_000

export async function startSupervisedServer(options: ServerOptions): Promise<SupervisedServer> {
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
    for (const end = Date.now() + START_TIMEOUT_MS; ; await pause(300)) {
      try {
        return await startServerProcess(environment, true, options.log, version && join(version, 'server/src/main.ts'))
      } catch (error) {
        if (Date.now() > end) throw error // Without a database the server cannot start; try again.
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
  // Also restart a process that ends by itself: the worker exits when it loses its database.
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
        const how = await Promise.race([server.ended, pause(STEP_TIMEOUT_MS, 'alive' as const)])
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
