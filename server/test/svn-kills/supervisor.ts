import type { Failpoint } from '../../src/platform/operation/failpoints.ts'
import { type Client, createClient } from '../client.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'

type Environment = Record<string, string> & { WAYPOST_DATABASE_URL: string; WAYPOST_PORT: string }

/** A step at which a server kills itself, and at which pass of it. */
export interface Crash {
  readonly at: Failpoint
  readonly pass: number
}

/** A server that is started again whenever it dies. */
export interface Supervised {
  readonly api: Client
  /** Ends it by SIGKILL; resolves when the next one is there. */
  kill(): Promise<void>
  /** Nobody is there while this is done. */
  whileAway<T>(doing: () => Promise<T>): Promise<T>
  /** Where it has killed itself so far. */
  readonly crashed: readonly Failpoint[]
  /** Steps that nobody has passed yet. */
  left(): number
  stop(): Promise<void>
}

/** Each server has a step to die at, one after the other, until all were died at. */
export async function supervise(environment: Environment, crashes: readonly Crash[]): Promise<Supervised> {
  const waiting = [...crashes]
  const crashed: Failpoint[] = []
  let isStopping = false
  let away: PromiseWithResolvers<void> | undefined
  let killed: ServerProcess | undefined
  let server: ServerProcess
  let following: Promise<void>

  const start = async () => {
    await away?.promise
    const [crash] = waiting
    const armed = crash && { WAYPOST_CRASH: `${crash.at}:${crash.pass}` }
    server = await startServerProcess({ ...environment, ...armed }, crash !== undefined)
    following = follow(server, crash)
  }
  const follow = async (mine: ServerProcess, crash: Crash | undefined) => {
    await mine.ended
    if (isStopping) return
    if (crash && mine !== killed) {
      crashed.push(crash.at)
      waiting.shift()
    }
    starting = start()
    starting.catch(() => {}) // Whoever waits for the next one is told.
  }
  let starting = start()
  await starting
  const end = async () => {
    killed = server
    await server.stop('SIGKILL')
    await following
  }
  return {
    api: createClient(`http://127.0.0.1:${environment.WAYPOST_PORT}`),
    crashed,
    left: () => waiting.length,
    async kill() {
      await starting
      await end()
      await starting
    },
    async whileAway(doing) {
      await starting
      away = Promise.withResolvers()
      try {
        await end()
        return await doing()
      } finally {
        away.resolve()
        away = undefined
        await starting
      }
    },
    async stop() {
      isStopping = true
      await starting.catch(() => {})
      await server.stop()
    },
  }
}
