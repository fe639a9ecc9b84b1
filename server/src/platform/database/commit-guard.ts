import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { ApiError } from '../messages/errors.ts'

/** Marks a statement with a longer response timeout. */
export const longStatementHint = sql`/* takes long */`
const LONG_STATEMENT_COMMENT = '/* takes long */'

/** PostgreSQL cancels statements after half of this time, except a COMMIT that waits for its standby. */
export const RESPONSE_TIMEOUT_MS = 10_000
const LONG_RESPONSE_TIMEOUT_MS = 70_000

/**
 * No PostgreSQL timeout ends a COMMIT that waits for the synchronous standby, and if it is cancelled PostgreSQL reports
 * success with a warning. Here such a statement fails with an unknown outcome. A statement without a response in time
 * counts as a lost connection, because the host may be gone.
 */
export function guardCommits(client: PoolClient, responseTimeoutMs = RESPONSE_TIMEOUT_MS): void {
  const send = client.query.bind(client)
  let isUnreplicated = false
  client.on('notice', ({ routine }) => {
    if (routine === 'SyncRepWaitForLSN') isUnreplicated = true // Recognized by the routine in the source, because messages are localized.
  })
  const watch = async (work: Promise<unknown>, limit: number): Promise<unknown> => {
    const timer = setTimeout(() => void client.end().catch(() => {}), limit)
    try {
      const result = await work
      if (isUnreplicated) throw new ApiError('outcome_unknown')
      return result
    } finally {
      isUnreplicated = false
      clearTimeout(timer)
    }
  }
  Object.assign(client, {
    query(text: unknown, ...more: unknown[]): unknown {
      const isLong = typeof text === 'string' && text.startsWith(LONG_STATEMENT_COMMENT)
      const work: unknown = Reflect.apply(send, client, [text, ...more])
      return work instanceof Promise ? watch(work, isLong ? LONG_RESPONSE_TIMEOUT_MS : responseTimeoutMs) : work
    },
  })
}
