/** A shorter run is all warming up. */
export const SHORTEST_JUDGED = 20_000
const ALLOWED_MIB = 64
const ALLOWED_SHARE = 0.15

/**
 * Says how memory grew, if it grew: what is held in the last quarter of a run against its second quarter, each by its
 * median, because collections make it go up and down. The first quarter fills caches.
 */
export function growthIn(samples: readonly number[]): string | undefined {
  const quarter = Math.floor(samples.length / 4)
  if (quarter < 3) return undefined
  const [before, after] = [median(samples.slice(quarter, 2 * quarter)), median(samples.slice(-quarter))]
  if (after <= before * (1 + ALLOWED_SHARE) + ALLOWED_MIB) return undefined
  return `the server held ${before} MiB in the second quarter of the run, and ${after} MiB in the last`
}

function median(samples: readonly number[]): number {
  return samples.toSorted((one, other) => one - other)[Math.floor(samples.length / 2)] ?? 0
}
