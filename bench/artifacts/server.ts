import { type ServerProcess, startServerProcess } from '../../server/test/harness/server-process.ts'
import { BENCH_SECRET_KEY } from './install.ts'

/** Starts one API process in production mode. */
export function startMeasured(databaseUrl: string, more: Record<string, string> = {}): Promise<ServerProcess> {
  return startServerProcess({
    WAYPOST_ENVIRONMENT: 'production',
    WAYPOST_DATABASE_URL: databaseUrl,
    WAYPOST_SECRET_KEYS: BENCH_SECRET_KEY,
    WAYPOST_LOG_LEVEL: 'error',
    ...more,
  })
}
