import { hiddenError } from '../accounts/auth-errors.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { findTracker, requireTrackerAdmin, type TrackerServices } from './find-tracker.ts'
import { type LoadedTracker, requireActiveProject } from './load-tracker.ts'
import type { TrackerAccess } from './tracker-access.ts'
import { lockTracker } from './store-tracker.ts'
import type { PartKind } from './tables.ts'
import type { Element, FieldId, TrackerId, Transition, TransitionId, Workflow } from './tracker.ts'

/** Loads the tracker for a change by an administrator, and locks it until the transaction ends. */
export async function findTrackerToChange(
  context: TrackerServices,
  tx: Tx,
  viewer: Viewer,
  id: TrackerId,
): Promise<TrackerAccess> {
  // Check the permission before taking the lock, so that unauthorized callers cannot block others.
  requireTrackerAdmin(await findTracker(context, tx, viewer, id))
  await lockTracker(tx, id)
  const access = await findTracker(context, tx, viewer, id)
  requireTrackerAdmin(access)
  requireActiveProject(access.tracker)
  return access
}

/** An element of a tracker, used or not, regardless of the viewer's permissions on it. */
export async function findTrackerElement(
  context: TrackerServices,
  db: Db | Tx,
  viewer: Viewer,
  id: FieldId,
): Promise<{ access: TrackerAccess; element: Element }> {
  const access = await findTracker(context, db, viewer, await trackerOf(db, viewer, id, 'element'))
  const element = access.tracker.byId.get(id)
  if (!element) throw hiddenError(viewer)
  return { access, element }
}

/** An element of a tracker, used or not, for a change by an administrator; locks the tracker. */
export async function findElementToChange(
  context: TrackerServices,
  tx: Tx,
  viewer: Viewer,
  id: FieldId,
): Promise<{ access: TrackerAccess; element: Element }> {
  const access = await findTrackerToChange(context, tx, viewer, await trackerOf(tx, viewer, id, 'element'))
  const element = access.tracker.byId.get(id)
  if (!element) throw hiddenError(viewer)
  return { access, element }
}

interface FoundTransition {
  readonly tracker: LoadedTracker
  readonly workflow: Workflow
  readonly transition: Transition
}

/** A transition, for an administrator of its tracker. */
export async function findTransitionById(
  context: TrackerServices,
  db: Db | Tx,
  viewer: Viewer,
  id: TransitionId,
): Promise<FoundTransition> {
  const access = await findTracker(context, db, viewer, await trackerOf(db, viewer, id, 'transition'))
  requireTrackerAdmin(access)
  return transitionIn(access, id)
}

export async function findTransitionToChange(
  context: TrackerServices,
  tx: Tx,
  viewer: Viewer,
  id: TransitionId,
): Promise<FoundTransition> {
  return transitionIn(await findTrackerToChange(context, tx, viewer, await trackerOf(tx, viewer, id, 'transition')), id)
}

function transitionIn({ tracker, viewer }: TrackerAccess, id: TransitionId): FoundTransition {
  const { workflow } = tracker
  const transition = workflow?.transitions.find((each) => each.id === id)
  if (!workflow || !transition) throw hiddenError(viewer)
  return { tracker, workflow, transition }
}

/** The tracker that an id was allocated in. The part itself may be gone from the structure. */
async function trackerOf(db: Db | Tx, viewer: Viewer, id: number, kind: PartKind): Promise<TrackerId> {
  const part = await db
    .selectFrom('tracker_part')
    .select('tracker_id')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
  if (!part) throw hiddenError(viewer)
  return part.tracker_id
}
