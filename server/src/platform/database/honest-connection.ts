import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { ApiError } from '../words/errors.ts'

/** At the beginning of a statement that has been given more time than others. */
export const takesLong = sql`/* takes long */`
const TAKES_LONG = '/* takes long */'

/** PostgreSQL itself ends what takes longer than half of it, but for a COMMIT that waits for its standby. */
export const PATIENCE = 10_000
const LONG_PATIENCE = 70_000

/**
 * A COMMIT that waits for the synchronous standby is ended by no time-out, and when it is cancelled PostgreSQL calls it
 * done, with a warning. Here such a statement fails: its outcome is unknown. What is not answered in time has lost its
 * connection: the host may be gone, and nobody would ever say so.
 */
export function makeHonest(client: PoolClient, patience = PATIENCE): void {
  const send = client.query.bind(client)
  let isOnlyHere = false
  client.on('notice', ({ routine }) => {
    if (routine === 'SyncRepWaitForLSN') isOnlyHere = true // By its place in the source: the words are in any language.
  })
  const watch = async (work: Promise<unknown>, limit: number): Promise<unknown> => {
    const timer = setTimeout(() => void client.end().catch(() => {}), limit)
    try {
      const result = await work
      if (isOnlyHere) throw new ApiError('outcome_unknown')
      return result
    } finally {
      isOnlyHere = false
      clearTimeout(timer)
    }
  }
  Object.assign(client, {
    query(text: unknown, ...more: unknown[]): unknown {
      const isLong = typeof text === 'string' && text.startsWith(TAKES_LONG)
      const work: unknown = Reflect.apply(send, client, [text, ...more])
      return work instanceof Promise ? watch(work, isLong ? LONG_PATIENCE : patience) : work
    },
  })
}
