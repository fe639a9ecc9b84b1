import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import { Type } from 'typebox'
import { hiddenError } from '../accounts/auth-errors.ts'
import type { Tx } from '../platform/database/db.ts'
import { idParam, writeRoute } from '../platform/http/route.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { inGroup } from '../projects/groups/in-group.ts'
import { joinProject } from '../projects/project-sql.ts'
import { bumpRightsEpoch } from '../projects/membership.ts'
import type { ProjectId, ProjectStatus } from '../projects/project.ts'
import { mayEnter } from '../projects/visibility.ts'
import { requireTrackerProjectAdmin } from './administered-project.ts'
import { findTracker } from './find-tracker.ts'
import { requireActiveProject } from './load-tracker.ts'
import { representTracker } from './represent-tracker.ts'
import { TrackerFull } from './schemas.ts'
import {
  lockTracker,
  lockTrackersOf,
  refuseTakenName,
  recordTrackerEvent,
  recordTrackerRightsEvent,
  trackerVersion,
} from './store-tracker.ts'
import type { TrackerId } from './tracker.ts'
import { isGranted } from './visibility.ts'

export const restoreTracker = writeRoute({
  method: 'POST',
  path: '/trackers/:id/restore',
  operationId: 'restoreTracker',
  summary: 'Restore a tracker and its artifacts from the trash.',
  description:
    'Brings a tracker back from the trash, with its artifacts except those deleted before it. Project administrators. If its short name was used again, another `item_name` has to be given.',
  access: 'signed_in',
  action: 'tracker.restore',
  notifies: true,
  params: { id: idParam<TrackerId>('The tracker.') },
  body: Type.Object({
    item_name: Type.Optional(Type.String({ description: 'A new name, if the old one is taken.' })),
  }),
  bodyRules: { isOptional: true },
  answer: TrackerFull,
  versioned: true,
  async handle({ context, viewer, params: { id }, body, language }, work) {
    const { tx } = work
    const { project_id, item_name: old } = await findDeleted(tx, viewer, id)
    const { item_name = old } = body ?? {}
    if (!/^[a-zA-Z0-9_]{1,255}$/.test(item_name))
      throw new ApiError('name_invalid', { path: 'item_name', rule: 'pattern' })
    await lockTrackersOf(tx, project_id)
    await lockTracker(tx, id)
    await findDeleted(tx, viewer, id) // A concurrent request may have restored it first.

    const { version } = await refuseTakenName(
      tx
        .updateTable('tracker')
        .set((row) => ({
          item_name,
          deleted_by: null,
          deleted_on: null,
          version: row('version', '+', 1),
          rights_epoch: row('rights_epoch', '+', 1),
        }))
        .where('id', '=', id)
        .returning('version')
        .executeTakeFirstOrThrow(),
      'item_name',
    )
    await bumpRightsEpoch(tx, project_id)
    await work.change({
      object: `trackers/${id}`,
      op: 'update',
      project_id,
      before: { is_deleted: true, item_name: old },
      after: { is_deleted: false, item_name },
    })
    await recordTrackerEvent(work, { id, project_id, version }, 'tracker.restored')
    await recordTrackerRightsEvent(work, { id, project_id })
    const access = await findTracker(context, tx, viewer, id)
    return {
      body: await representTracker(context, tx, access, language),
      version: trackerVersion({ id, version }),
    }
  },
})

interface Deleted {
  project_id: ProjectId
  item_name: string
}

/** A tracker in the trash. Visible to administrators of its project only. */
async function findDeleted(tx: Tx, viewer: Viewer, id: TrackerId): Promise<Deleted> {
  const { rows } = await sql<
    Deleted & { status: ProjectStatus; is_deleted: boolean; is_admin: boolean; sees: boolean }
  >`
    select tracker.project_id, tracker.item_name, project.status, tracker.deleted_on is not null as is_deleted,
      ${viewer.is_site_admin ? sql`true` : inGroup(viewer, aliases('project'), sql`4`)} as is_admin, ${isGranted(viewer, aliases('tracker', 'project'))} as sees
    from tracker ${joinProject(sql`tracker.project_id`)}
    where tracker.id = ${id} and ${mayEnter(viewer, aliases('project'))}`.execute(tx)
  const [found] = rows
  if (!found) throw hiddenError(viewer)
  const { is_deleted, is_admin, sees, status } = found
  // Callers who see a tracker that is not in the trash get 403 rather than 404.
  if (!is_admin && !is_deleted && sees) requireTrackerProjectAdmin(viewer, false)
  if (!is_admin || !is_deleted) throw hiddenError(viewer)
  requireActiveProject({ project: { status } })
  return found
}
