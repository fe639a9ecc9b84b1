import { sql } from 'kysely'
import { hiddenFrom } from '../accounts/refusals.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { ApiError } from '../platform/words/errors.ts'
import { itsProject } from '../projects/its-project.ts'
import { isMemberOf } from '../projects/visibility.ts'
import { type LoadedTracker, stamp } from './load-tracker.ts'
import { type Sight, sightOf } from './sight.ts'
import type { TrackerId } from './tracker.ts'
import { isGranted, maySeeTracker } from './visibility.ts'

/** The tracker, if the viewer may see it. Members of a suspended project are told why they may not. */
export async function findTracker(
  context: Pick<Context, 'trackers'>,
  db: Db | Tx,
  viewer: Viewer,
  id: TrackerId,
): Promise<Sight> {
  const { rows } = await sql<{ stamp: string; may_see: boolean; is_suspended: boolean }>`
    select ${stamp} as stamp, ${maySeeTracker(viewer)} as may_see, project.status = 'suspended'
      and ${isMemberOf(viewer)} and tracker.deleted_on is null and ${isGranted(viewer)} as is_suspended
    from tracker ${itsProject(sql`tracker.project_id`)} where tracker.id = ${id}`.execute(db)
  const [found] = rows
  if (!found?.may_see) throw found?.is_suspended ? new ApiError('project_suspended') : hiddenFrom(viewer)
  // What a transaction sees may never come true, so it is not for the memory that others share.
  const tracker = await (db.isTransaction ? context.trackers.now(db, id) : context.trackers.at(db, id, found.stamp))
  if (!tracker) throw hiddenFrom(viewer)
  // Changed between the two statements: whoever was let in may not be any more.
  if (tracker.stamp !== found.stamp) return findTracker(context, db, viewer, id)
  return sightOf(db, tracker, viewer)
}

/** The tracker as it is, whoever may see it: for what the platform itself does. */
export async function trackerNow(
  context: Pick<Context, 'trackers'>,
  db: Db | Tx,
  id: TrackerId,
): Promise<LoadedTracker | undefined> {
  const { rows } = await sql<{ stamp: string }>`
    select ${stamp} as stamp from tracker ${itsProject(sql`tracker.project_id`)}
    where tracker.id = ${id} and tracker.deleted_on is null`.execute(db)
  const [found] = rows
  return found && context.trackers.at(db, id, found.stamp)
}

export function requireTrackerAdmin({ viewer, administers }: Sight): void {
  if (administers) return
  if (viewer.account_id === undefined) throw new ApiError('authentication_required')
  throw new ApiError('permission_denied', { who_may: ['tracker_admin', 'project_admin'], cause: 'not_tracker_admin' })
}

interface InProject {
  readonly project: Pick<LoadedTracker['project'], 'status'>
}

/** Site administrators still enter a project that is not active, but nothing in it changes. */
export function requireActiveProject(place: InProject): void {
  if (!isActiveProject(place)) throw new ApiError('rule_violated', { cause: 'project_not_active' })
}

export function isActiveProject({ project }: InProject): boolean {
  return project.status === 'active' || project.status === 'system'
}
