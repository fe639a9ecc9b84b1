import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Worker } from './worker.ts'

const LONGEST = 30_000

/**
 * A worker for as long as the process lives. One whose database is away for long ends; the server beside it goes on
 * answering, so another one is started until it works again. That the first one cannot be started is said at once.
 */
export async function keepWorking(
  start: () => Promise<Worker>,
  log: Pick<Logger, 'error'>,
  shortest = 1000,
): Promise<Worker> {
  const stopping = new AbortController()
  let worker: Worker | undefined = await start()
  let wait = shortest
  const again = async () => {
    try {
      const next = await start()
      wait = shortest
      return next
    } catch (error) {
      log.error({ err: error }, 'no worker can be started')
      return undefined
    }
  }
  const goOn = async () => {
    for (;;) {
      await worker?.ended.catch((error: unknown) => log.error({ err: error }, 'the worker has ended'))
      worker = undefined
      if (stopping.signal.aborted) return
      await pause(wait, undefined, { signal: stopping.signal }).catch(() => {})
      wait = Math.min(2 * wait, LONGEST)
      if (!stopping.signal.aborted) worker = await again()
      if (stopping.signal.aborted) await worker?.stop() // It was told to while this one was starting.
    }
  }
  const ended = goOn()
  return {
    ended,
    async stop() {
      stopping.abort()
      await worker?.stop()
      await ended
    },
  }
}
