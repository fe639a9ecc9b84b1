import { median } from '../../harness/median.ts'

/** Shorter runs consist of warm-up. */
export const MIN_JUDGED_REQUESTS = 20_000
const ALLOWED_MIB = 64
const ALLOWED_SHARE = 0.15

/**
 * Describes memory growth, if any: the median of the last quarter of a run against that of the second, because garbage
 * collection makes it fluctuate. The first quarter fills caches.
 */
export function describeMemoryGrowth(samples: readonly number[]): string | undefined {
  const quarter = Math.floor(samples.length / 4)
  if (quarter < 3) return undefined
  const [before, after] = [median(samples.slice(quarter, 2 * quarter)), median(samples.slice(-quarter))]
  if (after <= before * (1 + ALLOWED_SHARE) + ALLOWED_MIB) return undefined
  return `the server held ${before} MiB in the second quarter of the run, and ${after} MiB in the last`
}
