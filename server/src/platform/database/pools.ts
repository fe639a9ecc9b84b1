import type { Config } from '../operation/config.ts'
import { type Db, openDatabase } from './db.ts'

/**
 * Connection pools by use, so that one use cannot exhaust the connections of another. A pool opens connections only when
 * they are needed, and closes them when they are idle.
 */
export interface Pools {
  /** Requests. Never held while the server waits for a client. */
  readonly interactive: Db
  /** Exports, which read for as long as they take. */
  readonly exports: Db
  /** Event streams and live queries. */
  readonly streams: Db
  /** Background jobs and pollers. */
  readonly jobs: Db
}

const EXPORTS_CONNECT_TIMEOUT_MS = 10_000
/** Jobs can wait: no client waits for them. */
const JOBS_CONNECT_TIMEOUT_MS = 30_000

export function openPools(config: Config): Pools {
  const connectionString = config.WAYPOST_DATABASE_URL
  return {
    interactive: openDatabase({ connectionString, max: config.WAYPOST_DATABASE_POOL }),
    exports: openDatabase({
      connectionString,
      max: config.WAYPOST_DATABASE_POOL_EXPORTS,
      connectionTimeoutMillis: EXPORTS_CONNECT_TIMEOUT_MS,
    }),
    streams: openDatabase({ connectionString, max: config.WAYPOST_DATABASE_POOL_STREAMS }),
    jobs: openDatabase({
      connectionString,
      max: config.WAYPOST_DATABASE_POOL_JOBS,
      connectionTimeoutMillis: JOBS_CONNECT_TIMEOUT_MS,
    }),
  }
}

export async function closePools({ interactive, exports, streams, jobs }: Pools): Promise<void> {
  await Promise.all([interactive, exports, streams, jobs].map((pool) => pool.destroy()))
}
