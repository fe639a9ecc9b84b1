import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from '../compile-cache.ts'
import { startServerProcess } from '../server-process.ts'

/** A process that may be killed at any time, and is then started again as it was. */
export interface Mortal {
  readonly kind: 'api' | 'worker' | 'consumer'
  /** Ends it by SIGKILL; resolves when the next one is there. */
  kill(): Promise<void>
  stop(): Promise<void>
}

type Environment = Record<string, string> & { WAYPOST_DATABASE_URL: string; WAYPOST_PORT: string }

/** A server process on a port that it keeps. */
export async function mortalServer(kind: 'api' | 'worker', environment: Environment): Promise<Mortal> {
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

export function mortalConsumer(environment: Record<string, string>): Mortal {
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
