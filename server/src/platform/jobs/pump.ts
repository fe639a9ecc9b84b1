import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../operation/context.ts'

/** Work that comes by itself, without anybody ordering it: what stands in the feed, what has become due. */
export interface Pump {
  readonly name: string
  /**
   * Does some of it, and tells whether more may be waiting. Any number of workers take turns at the same time, and each
   * may die in the middle: a turn locks what it works on, and moves on in the transaction of what it wrote.
   */
  turn(context: Context): Promise<boolean>
  /** Waits for what its turns have begun and left to itself. */
  end?(context: Context): Promise<void>
}

export interface RunningPumps {
  /** Takes no more turns, and waits for those under way. */
  stop(): Promise<void>
}

const BETWEEN_TURNS = 250
const AFTER_FAILURE = 2000

/** Turns each pump over and over, each at its own pace. */
export function startPumps(context: Context, pumps: readonly Pump[], every = BETWEEN_TURNS): RunningPumps {
  const ending = new AbortController()
  const running = pumps.map((pump) => turnOnAndOn(context, pump, every, ending.signal))
  return {
    async stop() {
      ending.abort()
      await Promise.all(running)
      for (const pump of pumps) await pump.end?.(context)
    },
  }
}

async function turnOnAndOn(context: Context, pump: Pump, every: number, ending: AbortSignal): Promise<void> {
  while (!ending.aborted) {
    const rest = await pump.turn(context).then(
      (hasMore) => (hasMore ? 0 : every),
      (error: unknown) => {
        context.log.warn({ err: error, pump: pump.name }, 'a pump failed')
        return AFTER_FAILURE
      },
    )
    await pause(rest, undefined, { signal: ending }).catch(() => {}) // Ending: there is nothing to wait for.
  }
}
