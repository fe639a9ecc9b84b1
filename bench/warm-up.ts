import { median } from '../server/test/harness/median.ts'

export interface WarmUp {
  readonly seconds: number
  /** False if the limit ended the warm-up. */
  readonly isStable: boolean
}

const MAX_WINDOWS = 30
const COMPARED_WINDOWS = 3
const MAX_DIFFERENCE = 0.05

/**
 * Runs a load in windows of a thirtieth of the limit until its rate is stable, or until the limit. Caches, compiled code
 * and connections are filled then.
 */
export async function warmUpLoad(run: (seconds: number) => Promise<number>, limit: number): Promise<WarmUp> {
  const window = limit / MAX_WINDOWS
  const rates: number[] = []
  while (rates.length < MAX_WINDOWS) {
    rates.push(await run(window))
    if (isStable(rates)) return { seconds: rates.length * window, isStable: true }
  }
  return { seconds: limit, isStable: false }
}

/** The median of the last three windows differs by at most 5 % from that of the three before. */
export function isStable(rates: readonly number[]): boolean {
  if (rates.length < 2 * COMPARED_WINDOWS) return false
  const before = median(rates.slice(-2 * COMPARED_WINDOWS, -COMPARED_WINDOWS))
  const last = median(rates.slice(-COMPARED_WINDOWS))
  return Math.abs(last - before) <= MAX_DIFFERENCE * before
}
