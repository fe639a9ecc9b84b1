import type { Db, Tx } from '../../../src/platform/database/db.ts'
import * as original from '../../../src/platform/database/db.ts'
import { isPlanted } from './plant.ts'

export * from '../../../src/platform/database/db.ts'

class LostWrite extends Error {}

export function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return original.retryOnDatabaseConflict(() => inTransactionWithoutRetry(db, work))
}

/** `lost-write`: returns as after a commit, but rolls back. */
export async function inTransactionWithoutRetry<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (!isPlanted('lost-write')) return original.inTransactionWithoutRetry(db, work)
  const results: T[] = []
  try {
    return await original.inTransactionWithoutRetry(db, async (tx) => {
      results.push(await work(tx))
      throw new LostWrite()
    })
  } catch (error) {
    const [result] = results
    if (error instanceof LostWrite && result !== undefined) return result
    throw error
  }
}
