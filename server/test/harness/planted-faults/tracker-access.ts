import type { Db, Tx } from '../../../src/platform/database/db.ts'
import type { Viewer } from '../../../src/platform/http/viewer.ts'
import type { LoadedTracker } from '../../../src/trackers/load-tracker.ts'
import * as original from '../../../src/trackers/tracker-access.ts'
import { isPlanted } from './plant.ts'

export * from '../../../src/trackers/tracker-access.ts'

/** `leaked-field`: every field is readable. */
export async function getTrackerAccess(db: Db | Tx, tracker: LoadedTracker, viewer: Viewer) {
  const access = await original.getTrackerAccess(db, tracker, viewer)
  return isPlanted('leaked-field') ? original.withAllFields(access) : access
}
