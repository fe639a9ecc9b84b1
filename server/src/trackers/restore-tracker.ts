import { sql } from 'kysely'
import { Type } from 'typebox'
import { hiddenFrom } from '../accounts/refusals.ts'
import type { Tx } from '../platform/database/db.ts'
import { idParam, writeRoute } from '../platform/http/route.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { ApiError } from '../platform/words/errors.ts'
import { inGroup } from '../projects/groups/in-group.ts'
import { itsProject } from '../projects/its-project.ts'
import { moveRights } from '../projects/membership.ts'
import type { ProjectId, ProjectStatus } from '../projects/project.ts'
import { mayEnter } from '../projects/visibility.ts'
import { requireProjectAdmin } from './administered-project.ts'
import { findTracker, requireActiveProject } from './find-tracker.ts'
import { representTracker } from './represent-tracker.ts'
import { TrackerFull } from './schemas.ts'
import { lockTracker, lockTrackersOf, naming, tell, tellRights, versionOf } from './store-tracker.ts'
import type { TrackerId } from './tracker.ts'
import { isGranted } from './visibility.ts'

export const restoreTracker = writeRoute({
  method: 'POST',
  path: '/trackers/:id/restore',
  operationId: 'restoreTracker',
  summary: 'Take a tracker out of the trash, with its artifacts.',
  access: 'signed_in',
  action: 'tracker.restore',
  params: { id: idParam<TrackerId>('The tracker.') },
  body: Type.Object({
    item_name: Type.Optional(Type.String({ description: 'Another one, where its own is in use by now.' })),
  }),
  bodyOptional: true,
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
    await findDeleted(tx, viewer, id) // Somebody else may have been faster.

    const { version } = await naming(
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
    await moveRights(tx, project_id)
    await work.change({
      object: `trackers/${id}`,
      op: 'update',
      project_id,
      before: { is_deleted: true, item_name: old },
      after: { is_deleted: false, item_name },
    })
    await tell(work, { id, project_id, version }, 'tracker.restored')
    await tellRights(work, { id, project_id })
    const sight = await findTracker(context, tx, viewer, id)
    return {
      body: await representTracker(context, tx, sight, language),
      version: versionOf({ id, version }),
    }
  },
})

interface Deleted {
  project_id: ProjectId
  item_name: string
}

/** The tracker in the trash. Only who administers its project may know of it. */
async function findDeleted(tx: Tx, viewer: Viewer, id: TrackerId): Promise<Deleted> {
  const { rows } = await sql<
    Deleted & { status: ProjectStatus; is_deleted: boolean; is_admin: boolean; sees: boolean }
  >`
    select tracker.project_id, tracker.item_name, project.status, tracker.deleted_on is not null as is_deleted,
      ${viewer.is_site_admin ? sql`true` : inGroup(viewer, sql`4`)} as is_admin, ${isGranted(viewer)} as sees
    from tracker ${itsProject(sql`tracker.project_id`)}
    where tracker.id = ${id} and ${mayEnter(viewer)}`.execute(tx)
  const [found] = rows
  if (!found) throw hiddenFrom(viewer)
  const { is_deleted, is_admin, sees, status } = found
  // Who sees a tracker that is not in the trash learns that he may not, before he learns that it is not there.
  if (!is_admin && !is_deleted && sees) requireProjectAdmin(viewer, false)
  if (!is_admin || !is_deleted) throw hiddenFrom(viewer)
  requireActiveProject({ project: { status } })
  return found
}
