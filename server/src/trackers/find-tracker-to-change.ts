import type { Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { findTracker, requireActiveProject, requireTrackerAdmin } from './find-tracker.ts'
import type { Sight } from './sight.ts'
import { lockTracker, lockTrackersOf } from './store-tracker.ts'
import type { TrackerId } from './tracker.ts'

/** The tracker, for a change by one of its administrators, and for nobody else until the transaction ends. */
export async function findTrackerToChange(
  context: Pick<Context, 'trackers'>,
  tx: Tx,
  viewer: Viewer,
  id: TrackerId,
): Promise<Sight> {
  const seen = await findTracker(context, tx, viewer, id)
  requireTrackerAdmin(seen)
  requireActiveProject(seen.tracker)
  await lockTrackersOf(tx, seen.tracker.project_id)
  await lockTracker(tx, id)
  // While it waited, another one may have changed the tracker, or who administers it.
  const sight = await findTracker(context, tx, viewer, id)
  requireTrackerAdmin(sight)
  return sight
}
