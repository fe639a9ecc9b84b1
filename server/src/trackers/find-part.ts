import { hiddenFrom } from '../accounts/refusals.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { findTracker, requireActiveProject, requireTrackerAdmin } from './find-tracker.ts'
import type { LoadedTracker } from './load-tracker.ts'
import type { Sight } from './sight.ts'
import { lockTracker } from './store-tracker.ts'
import type { PartKind } from './tables.ts'
import type { Element, FieldId, TrackerId, Transition, TransitionId, Workflow } from './tracker.ts'

type Trackers = Pick<Context, 'trackers'>

/** The tracker, for a change by one of its administrators. Until the transaction ends, nobody else changes it. */
export async function findTrackerToChange(context: Trackers, tx: Tx, viewer: Viewer, id: TrackerId): Promise<Sight> {
  // Whoever may not change it does not get as far as to make others wait.
  requireTrackerAdmin(await findTracker(context, tx, viewer, id))
  await lockTracker(tx, id)
  const sight = await findTracker(context, tx, viewer, id)
  requireTrackerAdmin(sight)
  requireActiveProject(sight.tracker)
  return sight
}

/** An element of a tracker, used or not, whether or not the viewer may do anything with it. */
export async function findElement(
  context: Trackers,
  db: Db | Tx,
  viewer: Viewer,
  id: FieldId,
): Promise<{ sight: Sight; element: Element }> {
  const sight = await findTracker(context, db, viewer, await trackerOf(db, viewer, id, 'element'))
  const element = sight.tracker.byId.get(id)
  if (!element) throw hiddenFrom(viewer)
  return { sight, element }
}

/** An element of a tracker, used or not, for a change by one of its administrators. */
export async function findElementToChange(
  context: Trackers,
  tx: Tx,
  viewer: Viewer,
  id: FieldId,
): Promise<{ sight: Sight; element: Element }> {
  const sight = await findTrackerToChange(context, tx, viewer, await trackerOf(tx, viewer, id, 'element'))
  const element = sight.tracker.byId.get(id)
  if (!element) throw hiddenFrom(viewer)
  return { sight, element }
}

interface FoundTransition {
  readonly tracker: LoadedTracker
  readonly workflow: Workflow
  readonly transition: Transition
}

/** A transition, for an administrator of its tracker. */
export async function findTransitionById(
  context: Trackers,
  db: Db | Tx,
  viewer: Viewer,
  id: TransitionId,
): Promise<FoundTransition> {
  const sight = await findTracker(context, db, viewer, await trackerOf(db, viewer, id, 'transition'))
  requireTrackerAdmin(sight)
  return transitionIn(sight, id)
}

export async function findTransitionToChange(
  context: Trackers,
  tx: Tx,
  viewer: Viewer,
  id: TransitionId,
): Promise<FoundTransition> {
  return transitionIn(await findTrackerToChange(context, tx, viewer, await trackerOf(tx, viewer, id, 'transition')), id)
}

function transitionIn({ tracker, viewer }: Sight, id: TransitionId): FoundTransition {
  const { workflow } = tracker
  const transition = workflow?.transitions.find((each) => each.id === id)
  if (!workflow || !transition) throw hiddenFrom(viewer)
  return { tracker, workflow, transition }
}

/** To which tracker an id belongs. Whether the part is still there, the structure says. */
async function trackerOf(db: Db | Tx, viewer: Viewer, id: number, kind: PartKind): Promise<TrackerId> {
  const part = await db
    .selectFrom('tracker_part')
    .select('tracker_id')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
  if (!part) throw hiddenFrom(viewer)
  return part.tracker_id
}
