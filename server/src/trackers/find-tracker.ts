import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import { hiddenError } from '../accounts/auth-errors.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { recordComparison } from '../platform/operation/rights-check.ts'
import { retryOnConflict } from '../platform/operation/retry-on-conflict.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { joinProject } from '../projects/project-sql.ts'
import { isMemberOf } from '../projects/visibility.ts'
import { type LoadedTracker, accessVersion } from './load-tracker.ts'
import { type TrackerAccess, getTrackerAccess } from './tracker-access.ts'
import type { TrackerId } from './tracker.ts'
import { isGranted, maySeeTracker } from './visibility.ts'

/** The services that find trackers. */
export type TrackerServices = Pick<Context, 'trackers' | 'trackerVisibility' | 'rightsCheck' | 'log'>

/** Finds a tracker that the viewer may see. Members of a suspended project get an error that says so. */
export async function findTracker(
  context: TrackerServices,
  db: Db | Tx,
  viewer: Viewer,
  id: TrackerId,
): Promise<TrackerAccess> {
  const stamp = (await findByRights(context, db, viewer, id)) ?? (await findBySql(db, viewer, id))
  // Bypass the shared cache inside a transaction: it may read uncommitted data.
  const tracker = await (db.isTransaction ? context.trackers.now(db, id) : context.trackers.at(db, id, stamp))
  if (!tracker) throw hiddenError(viewer)
  // The tracker changed between the two statements; check the access again.
  if (tracker.stamp !== stamp) return findTracker(context, db, viewer, id)
  return getTrackerAccess(db, tracker, viewer)
}

/**
 * The access version at which the viewer sees the tracker, by remembered rights (`docs/decisions/17-rights-in-memory.md`);
 * undefined if they do not see it, or if SQL has to decide: a transaction may have changed rights itself.
 */
async function findByRights(
  context: TrackerServices,
  db: Db | Tx,
  viewer: Viewer,
  id: TrackerId,
): Promise<string | undefined> {
  if (db.isTransaction) return undefined
  const { rows } = await sql<{ stamp: string }>`
    select ${accessVersion} as stamp from tracker ${joinProject(sql`tracker.project_id`)} where tracker.id = ${id}`.execute(
    db,
  )
  const [found] = rows
  const rights = found && (await context.trackerVisibility.at(db, viewer, new Map([[id, found.stamp]])))
  const isSeen = rights !== undefined && rights.get(id)?.sees !== 'none'
  if (context.rightsCheck.isOn && rights) {
    const decided = await decideBySql(db, viewer, id)
    // Another access version means that rights have changed between both statements.
    const isEqual = decided?.stamp !== found?.stamp || decided?.may_see === isSeen
    recordComparison(context, isEqual, { tracker: id, account: viewer.account_id })
    return undefined // The database is right.
  }
  return isSeen ? found?.stamp : undefined
}

async function findBySql(db: Db | Tx, viewer: Viewer, id: TrackerId): Promise<string> {
  const found = await decideBySql(db, viewer, id)
  if (!found?.may_see) throw found?.is_suspended ? new ApiError('project_suspended') : hiddenError(viewer)
  return found.stamp
}

interface Decision {
  readonly stamp: string
  readonly may_see: boolean
  readonly is_suspended: boolean
}

async function decideBySql(db: Db | Tx, viewer: Viewer, id: TrackerId): Promise<Decision | undefined> {
  const { rows } = await sql<Decision>`
    select ${accessVersion} as stamp, ${maySeeTracker(viewer, aliases('tracker', 'project'))} as may_see, project.status = 'suspended'
      and ${isMemberOf(viewer, aliases('project'))} and tracker.deleted_on is null and ${isGranted(viewer, aliases('tracker', 'project'))} as is_suspended
    from tracker ${joinProject(sql`tracker.project_id`)} where tracker.id = ${id}`.execute(db)
  return rows[0]
}

/**
 * Optimistic concurrency with the access to a tracker: `attempt` compares its access version in the statements that read
 * data, and returns undefined if it has changed. The first attempt takes the access from memory, without a statement.
 */
export async function attemptWithTracker<T>(
  context: TrackerServices & Pick<Context, 'db'>,
  viewer: Viewer,
  id: TrackerId,
  attempt: (access: TrackerAccess) => Promise<T | undefined>,
): Promise<T> {
  const recalled = await recallTracker(context, viewer, id)
  if (recalled)
    try {
      const result = await attempt(recalled)
      if (result !== undefined) return result
    } catch (error) {
      // An outdated tracker may be the reason, and a caller who no longer sees it must not learn about its fields.
      const { tracker } = await findTracker(context, context.db, viewer, id)
      if (tracker.stamp === recalled.tracker.stamp) throw error
    }
  return retryOnConflict(async () => attempt(await findTracker(context, context.db, viewer, id)))
}

/** The access to a tracker that was visible at the cached access version; undefined if it has to be looked up. */
async function recallTracker(
  context: TrackerServices & Pick<Context, 'db'>,
  viewer: Viewer,
  id: TrackerId,
): Promise<TrackerAccess | undefined> {
  const tracker = context.rightsCheck.isOn ? undefined : context.trackers.peek(id)
  if (!tracker) return undefined
  const decided = await context.trackerVisibility.at(context.db, viewer, new Map([[id, tracker.stamp]]))
  const sees = decided?.get(id)?.sees ?? 'none'
  return sees === 'none' ? undefined : getTrackerAccess(context.db, tracker, viewer)
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
