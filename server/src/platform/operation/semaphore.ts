import { ApiError } from '../messages/errors.ts'

/** Limits concurrency; waiting tasks start in FIFO order. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** Tasks beyond `maxWaiting` are refused. */
export function createSemaphore(permits: number, maxWaiting = Infinity): Semaphore {
  const waiting: (() => void)[] = []
  let free = permits
  return async (work) => {
    if (free === 0 && waiting.length >= maxWaiting) throw new ApiError('unavailable')
    if (free > 0) free--
    else await new Promise<void>((resolve) => void waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
