import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import { hiddenError } from '../accounts/auth-errors.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { joinProject } from '../projects/project-sql.ts'
import { isMemberOf } from '../projects/visibility.ts'
import { type LoadedTracker, accessVersion } from './load-tracker.ts'
import { type TrackerAccess, getTrackerAccess } from './tracker-access.ts'
import type { TrackerId } from './tracker.ts'
import { isGranted, maySeeTracker } from './visibility.ts'

/** Finds a tracker that the viewer may see. Members of a suspended project get an error that says so. */
export async function findTracker(
  context: Pick<Context, 'trackers'>,
  db: Db | Tx,
  viewer: Viewer,
  id: TrackerId,
): Promise<TrackerAccess> {
  const { rows } = await sql<{ stamp: string; may_see: boolean; is_suspended: boolean }>`
    select ${accessVersion} as stamp, ${maySeeTracker(viewer, aliases('tracker', 'project'))} as may_see, project.status = 'suspended'
      and ${isMemberOf(viewer, aliases('project'))} and tracker.deleted_on is null and ${isGranted(viewer, aliases('tracker', 'project'))} as is_suspended
    from tracker ${joinProject(sql`tracker.project_id`)} where tracker.id = ${id}`.execute(db)
  const [found] = rows
  if (!found?.may_see) throw found?.is_suspended ? new ApiError('project_suspended') : hiddenError(viewer)
  // Bypass the shared cache inside a transaction: it may read uncommitted data.
  const tracker = await (db.isTransaction ? context.trackers.now(db, id) : context.trackers.at(db, id, found.stamp))
  if (!tracker) throw hiddenError(viewer)
  // The tracker changed between the two statements; check the access again.
  if (tracker.stamp !== found.stamp) return findTracker(context, db, viewer, id)
  return getTrackerAccess(db, tracker, viewer)
}

/** Loads a tracker without an access check, for internal operations. */
export async function loadCurrentTracker(
  context: Pick<Context, 'trackers'>,
  db: Db | Tx,
  id: TrackerId,
): Promise<LoadedTracker | undefined> {
  const { rows } = await sql<{ stamp: string }>`
    select ${accessVersion} as stamp from tracker ${joinProject(sql`tracker.project_id`)}
    where tracker.id = ${id} and tracker.deleted_on is null`.execute(db)
  const [found] = rows
  return found && context.trackers.at(db, id, found.stamp)
}

export function requireTrackerAdmin({ viewer, administers }: TrackerAccess): void {
  if (administers) return
  if (viewer.account_id === undefined) throw new ApiError('authentication_required')
  throw new ApiError('permission_denied', { who_may: ['tracker_admin', 'project_admin'], cause: 'not_tracker_admin' })
}
