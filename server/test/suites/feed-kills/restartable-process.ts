import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from '../../harness/compile-cache.ts'
import { startServerProcess } from '../../harness/server-process.ts'

/** A process that may be killed at any time, and is then restarted unchanged. */
export interface RestartableProcess {
  readonly kind: 'api' | 'worker' | 'consumer'
  /** Kills it by SIGKILL; resolves when its successor runs. */
  kill(): Promise<void>
  stop(): Promise<void>
}

type Environment = Record<string, string> & { WAYPOST_DATABASE_URL: string; WAYPOST_PORT: string }

/** A server process with a fixed port. */
export async function startRestartableServer(
  kind: 'api' | 'worker',
  environment: Environment,
): Promise<RestartableProcess> {
  let server = await startServerProcess(environment)
  return {
    kind,
    async kill() {
      await server.stop('SIGKILL')
      server = await startServerProcess(environment)
    },
    async stop() {
      await server.stop()
    },
  }
}

const CONSUMER = fileURLToPath(new URL('consumer-process.ts', import.meta.url))

export function startRestartableConsumer(environment: Record<string, string>): RestartableProcess {
  const start = () => fork(CONSUMER, { env: { PATH: process.env['PATH'], ...COMPILE_CACHE, ...environment } })
  const end = async (child: ChildProcess) => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  let consumer = start()
  return {
    kind: 'consumer',
    async kill() {
      await end(consumer)
      consumer = start()
    },
    stop: () => end(consumer),
  }
}
