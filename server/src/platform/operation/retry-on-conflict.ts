import { ApiError } from '../messages/errors.ts'

const MAX_ATTEMPTS = 5
/** A writer loses an attempt only if another one wins, so this many losses need many concurrent writers. */
export const MAX_WRITER_ATTEMPTS = 20

/** Optimistic concurrency: `attempt` returns undefined if its input has changed meanwhile, and is retried. */
export async function retryOnConflict<T>(
  attempt: () => Promise<T | undefined>,
  maxAttempts = MAX_ATTEMPTS,
): Promise<T> {
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    const result = await attempt()
    if (result !== undefined) return result
  }
  throw new ApiError('unavailable')
}
