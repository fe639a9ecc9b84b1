import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../operation/context.ts'

/** Work without a job that requests it: new events of the feed, due deliveries. */
export interface Poller {
  readonly name: string
  /**
   * Does one batch; true: more may be waiting. Workers run turns concurrently and may die at any point: a turn locks
   * its rows, and advances its cursor in the transaction of its writes.
   */
  turn(context: Context): Promise<boolean>
  /** Waits for background work that its turns have started. */
  end?(context: Context): Promise<void>
}

export interface RunningPollers {
  /** Starts no more turns, and waits for the current ones. */
  stop(): Promise<void>
}

const POLL_INTERVAL_MS = 250
const FAILURE_DELAY_MS = 2000

/** Runs each poller in a loop of its own. */
export function startPollers(
  context: Context,
  pollers: readonly Poller[],
  intervalMs = POLL_INTERVAL_MS,
): RunningPollers {
  const ending = new AbortController()
  const running = pollers.map((poller) => pollUntilEnded(context, poller, intervalMs, ending.signal))
  return {
    async stop() {
      ending.abort()
      await Promise.all(running)
      for (const poller of pollers) await poller.end?.(context)
    },
  }
}

async function pollUntilEnded(
  context: Context,
  poller: Poller,
  intervalMs: number,
  ending: AbortSignal,
): Promise<void> {
  while (!ending.aborted) {
    const delayMs = await poller.turn(context).then(
      (hasMore) => (hasMore ? 0 : intervalMs),
      (error: unknown) => {
        context.log.warn({ err: error, pump: poller.name }, 'a pump failed')
        return FAILURE_DELAY_MS
      },
    )
    await pause(delayMs, undefined, { signal: ending }).catch(() => {}) // Aborted by the end: nothing to wait for.
  }
}
