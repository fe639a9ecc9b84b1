import { sql } from 'kysely'
import { withoutOwner } from './connection-owner.ts'
import type { Db } from './db.ts'

/**
 * The state of the database that a statement reads. Equal texts: both statements see the same transactions, so nothing
 * was written in between.
 */
export const presentSnapshot = sql<string>`concat_ws(' ', pg_postmaster_start_time(), pg_current_snapshot())`

export interface Snapshots {
  /** The last one that a statement has read, or undefined. */
  readonly latest: string | undefined
  /** Keeps it as the latest one. Returns it, as the same string for all who have read it. */
  note(snapshot: string): string
  /** The present one. Callers that wait at the same time share a statement, which begins after they have asked. */
  read(): Promise<string>
}

export function createSnapshots(db: Db): Snapshots {
  let latest: string | undefined
  let running: Promise<string> | undefined
  let next: Promise<string> | undefined
  const note = (snapshot: string): string => {
    if (snapshot !== latest) latest = snapshot
    return latest
  }
  const statement = sql<{ snapshot: string }>`select ${presentSnapshot} as snapshot`.compile(db)
  const execute = async (): Promise<string> => {
    const { rows } = await db.executeQuery(statement)
    const [row] = rows
    if (!row) throw new Error('PostgreSQL has returned no snapshot.')
    return note(row.snapshot)
  }
  const start = (): Promise<string> => {
    next = undefined
    // For several clients: none of them waits for the connections of another one.
    const begun = withoutOwner(execute).finally(() => {
      if (running === begun) running = undefined
    })
    running = begun
    return begun
  }
  return {
    get latest() {
      return latest
    },
    note,
    read: () => (running ? (next ??= running.then(start, start)) : start()),
  }
}
