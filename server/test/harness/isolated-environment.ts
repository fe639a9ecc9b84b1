import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, openDatabase } from '../../src/platform/database/db.ts'
import { APP_ROLE, createRolesAndDatabase, startPostgres } from '../../src/platform/database/local-postgres.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import type { TestClient } from './client.ts'
import { seed } from '../fixtures/seed.ts'
import { startServerProcess } from './server-process.ts'

export interface IsolatedEnvironment {
  /** One for each server process. */
  readonly apis: readonly TestClient[]
  /** The ids of these processes. */
  readonly pids: readonly number[]
  /** As the owner, who may do everything. */
  readonly db: Db
  /** Where server processes connect to. */
  readonly appUrl: string
  /** The folder of their files. */
  readonly files: string
  /** Another, empty one beside it; resolves with its address. */
  readonly createDatabase: (name: string) => Promise<string>
}

interface IsolatedOptions {
  /** Of the database, and part of the name of the folder. */
  readonly name: string
  readonly servers: number
  /** Of all server processes, or of each by its position. */
  readonly environment?: Record<string, string> | ((server: number) => Record<string, string>)
}

/** Runs a command's work on a cluster, a database and server processes of its own; nothing is left of them. */
export async function withIsolatedEnvironment<T>(
  { name, servers, environment: own = {} }: IsolatedOptions,
  work: (world: IsolatedEnvironment) => Promise<T>,
): Promise<T> {
  const ends: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(130)))
  try {
    const directory = await mkdtemp(join(tmpdir(), `waypost-${name}-`))
    ends.push(() => rm(directory, { recursive: true, force: true }))
    await chmod(directory, 0o711) // PostgreSQL may run as another user, who has to pass.
    const places = { data: join(directory, 'data'), socket: join(directory, 'socket') }
    const cluster = await startPostgres({ ...places, durable: false })
    ends.push(() => cluster.stop())
    const { ownerUrl, appUrl } = await createRolesAndDatabase({ host: cluster.host, database: name })
    await migrate({ url: ownerUrl, appRole: APP_ROLE })
    const db = openDatabase({ connectionString: ownerUrl, max: 2 })
    ends.push(() => db.destroy())
    await seed(db)
    const files = join(directory, 'files')
    const common = { WAYPOST_DATABASE_URL: appUrl, WAYPOST_LOG_LEVEL: 'error', WAYPOST_FILES: files }
    const apis: TestClient[] = []
    const pids: number[] = []
    for (let at = 0; at < servers; at++) {
      const server = await startServerProcess({ ...common, ...(typeof own === 'function' ? own(at) : own) })
      ends.push(() => server.stop())
      apis.push(server.api)
      pids.push(server.pid)
    }
    const createDatabase = async (other: string) => {
      const { ownerUrl: url } = await createRolesAndDatabase({ host: cluster.host, database: other })
      return url
    }
    return await work({ apis, pids, db, appUrl, files, createDatabase })
  } finally {
    await stop()
  }
}
