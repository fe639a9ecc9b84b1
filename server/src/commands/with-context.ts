import { createContext } from '../context.ts'
import { readConfig } from '../platform/operation/config.ts'
import type { Context } from '../platform/operation/context.ts'

/** What a command does with the installation that the environment names; connections end with it. */
export async function withContext<T>(work: (context: Context) => Promise<T>): Promise<T> {
  const context = await createContext(readConfig({ WAYPOST_LOG_LEVEL: 'warn', ...process.env }))
  try {
    return await work(context)
  } finally {
    await context.db.destroy()
  }
}
