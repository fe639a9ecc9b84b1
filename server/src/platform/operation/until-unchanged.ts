import { ApiError } from '../words/errors.ts'

const TURNS = 5
/** Of writers each lost turn was won by another one, so to lose as many as these takes a crowd. */
export const TURNS_OF_WRITERS = 20

/**
 * For those who look and decide without a lock: undefined says that what was looked at has changed meanwhile, so they
 * look again.
 */
export async function untilUnchanged<T>(attempt: () => Promise<T | undefined>, turns = TURNS): Promise<T> {
  for (let turn = 0; turn < turns; turn++) {
    const result = await attempt()
    if (result !== undefined) return result
  }
  throw new ApiError('unavailable')
}
