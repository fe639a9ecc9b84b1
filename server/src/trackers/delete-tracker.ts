import { idParam, writeRoute } from '../platform/http/route.ts'
import { requireVersion } from '../platform/wire/etag.ts'
import { bumpRightsEpoch } from '../projects/membership.ts'
import { requireTrackerProjectAdmin } from './administered-project.ts'
import { artifactCount } from './counter.ts'
import { findTracker } from './find-tracker.ts'
import { requireActiveProject } from './load-tracker.ts'
import {
  lockTracker,
  lockTrackersOf,
  recordTrackerEvent,
  recordTrackerRightsEvent,
  trackerVersion,
} from './store-tracker.ts'
import type { TrackerId } from './tracker.ts'

const PROJECT_ADMINS = 4

export const deleteTracker = writeRoute({
  method: 'DELETE',
  path: '/trackers/:id',
  operationId: 'deleteTracker',
  summary: 'Move a tracker and its artifacts to the trash.',
  description:
    'Moves a tracker to the trash; it can be restored while the trash keeps it. Project administrators. Other members get 403; trackers that are deleted already are 404.',
  access: 'signed_in',
  action: 'tracker.delete',
  notifies: true,
  params: { id: idParam<TrackerId>('The tracker.') },
  async handle({ context, viewer, params: { id }, headers }, work) {
    const { tx } = work
    const seen = await findTracker(context, tx, viewer, id)
    requireTrackerProjectAdmin(viewer, seen.groups.has(PROJECT_ADMINS))
    requireActiveProject(seen.tracker)
    await lockTrackersOf(tx, seen.tracker.project_id)
    await lockTracker(tx, id)
    const { tracker } = await findTracker(context, tx, viewer, id) // A concurrent request may have deleted it first.
    requireVersion(headers['if-match'], trackerVersion(tracker))

    const { project_id, item_name, label } = tracker
    const { version, artifacts } = await tx
      .updateTable('tracker')
      .set((row) => ({
        deleted_by: viewer.account_id ?? null,
        deleted_on: context.clock.now(),
        version: row('version', '+', 1),
        rights_epoch: row('rights_epoch', '+', 1),
      }))
      .where('id', '=', id)
      .returning(['version', artifactCount.as('artifacts')])
      .executeTakeFirstOrThrow()
    await bumpRightsEpoch(tx, project_id)
    await work.change({ object: `trackers/${id}`, op: 'delete', project_id, before: { item_name, label, artifacts } })
    await recordTrackerEvent(work, { id, project_id, version }, 'tracker.deleted')
    await recordTrackerRightsEvent(work, tracker)
    return {}
  },
})
