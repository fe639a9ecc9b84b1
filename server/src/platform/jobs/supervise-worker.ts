import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Worker } from './worker.ts'

const MAX_RESTART_DELAY_MS = 30_000

export interface SupervisedWorker extends Worker {
  /** False between a failure and the next start. */
  readonly isRunning: boolean
}

/**
 * Keeps a worker running. A worker ends if its database is unavailable for long; it is restarted with backoff, while
 * the server beside it keeps running. A failure of the first start is thrown.
 */
export async function superviseWorker(
  start: () => Promise<Worker>,
  log: Pick<Logger, 'error'>,
  minRestartDelayMs = 1000,
): Promise<SupervisedWorker> {
  const stopping = new AbortController()
  let worker: Worker | undefined = await start()
  let restartDelayMs = minRestartDelayMs
  const restart = async () => {
    try {
      const next = await start()
      restartDelayMs = minRestartDelayMs
      return next
    } catch (error) {
      log.error({ err: error }, 'no worker can be started')
      return undefined
    }
  }
  const supervise = async () => {
    for (;;) {
      await worker?.ended.catch((error: unknown) => log.error({ err: error }, 'the worker has ended'))
      worker = undefined
      if (stopping.signal.aborted) return
      await pause(restartDelayMs, undefined, { signal: stopping.signal }).catch(() => {})
      restartDelayMs = Math.min(2 * restartDelayMs, MAX_RESTART_DELAY_MS)
      if (!stopping.signal.aborted) worker = await restart()
      if (stopping.signal.aborted) await worker?.stop() // `stop` was called while this one was starting.
    }
  }
  const ended = supervise()
  return {
    ended,
    get isRunning() {
      return worker !== undefined
    },
    async stop() {
      stopping.abort()
      await worker?.stop()
      await ended
    },
  }
}
