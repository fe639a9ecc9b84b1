import type { Failpoint } from '../../../src/platform/operation/failpoints.ts'
import { type TestClient, createTestClient } from '../../harness/client.ts'
import { type ServerProcess, startServerProcess } from '../../harness/server-process.ts'

type Environment = Record<string, string> & { WAYPOST_DATABASE_URL: string; WAYPOST_PORT: string }

/** A failpoint at which a server kills itself, and its pass. */
export interface Crash {
  readonly at: Failpoint
  readonly pass: number
}

/** A server that is restarted whenever it dies. */
export interface Supervised {
  readonly api: TestClient
  /** Kills it by SIGKILL; resolves when its successor runs. */
  kill(): Promise<void>
  /** Runs `doing` while no server runs. */
  whileAway<T>(doing: () => Promise<T>): Promise<T>
  /** The failpoints that were hit so far. */
  readonly crashed: readonly Failpoint[]
  /** The number of failpoints that were not hit yet. */
  left(): number
  stop(): Promise<void>
}

/** Each server gets the next failpoint, until all were hit. */
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
    starting.catch(() => {}) // Waiting callers get the error.
  }
  let starting = start()
  await starting
  const end = async () => {
    killed = server
    await server.stop('SIGKILL')
    await following
  }
  return {
    api: createTestClient(`http://127.0.0.1:${environment.WAYPOST_PORT}`),
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
