import { isDeepStrictEqual } from 'node:util'
import type { WriteContext } from '../platform/http/write-context.ts'
import type { LoadedTracker } from './load-tracker.ts'
import { saveTracker } from './store-tracker.ts'
import type { Structure } from './tracker.ts'

/** Saves the differences in a tracker loaded by `findTrackerToChange`; writes nothing if there are none. */
export async function changeTracker(
  work: WriteContext,
  tracker: LoadedTracker,
  change: Partial<Structure>,
  options: { now: Date; report?: { before: object; after: object } },
): Promise<void> {
  const after = { ...tracker, ...change }
  if (!isDeepStrictEqual(after, tracker)) await saveTracker(work, tracker, after, options)
}
