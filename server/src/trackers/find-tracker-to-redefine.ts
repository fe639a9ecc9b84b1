import type { Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { findTracker, requireTrackerAdmin, type TrackerServices } from './find-tracker.ts'
import { requireActiveProject } from './load-tracker.ts'
import type { TrackerAccess } from './tracker-access.ts'
import { lockTracker, lockTrackersOf } from './store-tracker.ts'
import type { TrackerId } from './tracker.ts'

/** Loads the tracker for a new definition by an administrator, and locks it until the transaction ends. */
export async function findTrackerToRedefine(
  context: TrackerServices,
  tx: Tx,
  viewer: Viewer,
  id: TrackerId,
): Promise<TrackerAccess> {
  const seen = await findTracker(context, tx, viewer, id)
  requireTrackerAdmin(seen)
  requireActiveProject(seen.tracker)
  await lockTrackersOf(tx, seen.tracker.project_id)
  await lockTracker(tx, id)
  // The tracker or its administrators may have changed while waiting for the lock.
  const access = await findTracker(context, tx, viewer, id)
  requireTrackerAdmin(access)
  return access
}
