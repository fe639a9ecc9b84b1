import { isDeepStrictEqual } from 'node:util'
import type { WriteContext } from '../platform/http/write-context.ts'
import type { LoadedTracker } from './load-tracker.ts'
import { type SaveOptions, saveTracker, type TrackerHeader } from './store-tracker.ts'
import type { Structure } from './tracker.ts'

/** Saves the differences in a tracker loaded by `findTrackerToChange`; writes nothing if there are none. */
export async function changeTracker(
  work: WriteContext,
  tracker: LoadedTracker,
  change: Partial<Structure & TrackerHeader>,
  options: SaveOptions,
): Promise<void> {
  const after = { ...tracker, ...change }
  if (!isDeepStrictEqual(after, tracker)) await saveTracker(work, tracker, after, options)
}
