import { openDatabase } from '../platform/database/db.ts'
import { readConfig } from '../platform/operation/config.ts'
import type { Context } from '../platform/operation/context.ts'
import type { Installation } from '../platform/operation/diagnosis.ts'
import { closePools } from '../platform/database/pools.ts'

/** Runs a callback with the installation that the environment names, and closes its connections. */
export async function withContext<T>(work: (context: Context) => Promise<T>): Promise<T> {
  const { createContext } = await import('../context.ts') // Loads most of the server, so only on demand.
  const context = await createContext(readConfig({ WAYPOST_LOG_LEVEL: 'warn', ...process.env }))
  try {
    return await work(context)
  } finally {
    await closePools(context.pools)
  }
}

/** The same with the bare database, as one of its two roles, and without a timeout. */
export async function withDatabase<T>(
  role: 'servers' | 'owner',
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const config = readConfig(process.env)
  const url = (role === 'owner' && config.WAYPOST_MIGRATE_URL) || config.WAYPOST_DATABASE_URL
  const db = openDatabase({ connectionString: url, max: 1, statement_timeout: 0 })
  try {
    return await work({ db, config })
  } finally {
    await db.destroy()
  }
}
