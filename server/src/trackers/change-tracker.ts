import { isDeepStrictEqual } from 'node:util'
import type { Work } from '../platform/http/work.ts'
import type { LoadedTracker } from './load-tracker.ts'
import { saveTracker } from './store-tracker.ts'
import type { Structure } from './tracker.ts'

/** Writes what differs in a tracker that `findTrackerToChange` gave; where nothing does, nothing is written. */
export async function changeTracker(
  work: Work,
  tracker: LoadedTracker,
  change: Partial<Structure>,
  options: { now: Date; report?: { before: object; after: object } },
): Promise<void> {
  const after = { ...tracker, ...change }
  if (!isDeepStrictEqual(after, tracker)) await saveTracker(work, tracker, after, options)
}
