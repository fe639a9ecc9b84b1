import { sql } from 'kysely'
import { hiddenError } from '../../accounts/auth-errors.ts'
import { aliases } from '../../platform/database/aliases.ts'
import type { Tx } from '../../platform/database/db.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { findProject, requireProjectAdmin } from '../find-project.ts'
import { recordRightsEvent } from '../membership.ts'
import { furtherResources, type ProjectId, type ProjectStatus, projectVersion, representProject } from '../project.ts'
import { ProjectFull } from '../schemas.ts'
import { serviceResources } from '../service-resources.ts'
import { isRestorable } from './deleted-projects.ts'

export const restoreProject = writeRoute({
  method: 'POST',
  path: '/projects/:id/restoration',
  operationId: 'restoreProject',
  summary: 'Restore a project and everything in it from the trash, in the status that it had.',
  description:
    'Takes a project out of the trash, with everything in it. Those who administered it, and site administrators. After the purge has begun it is 404; a project that is not in the trash is 403.',
  access: 'signed_in',
  action: 'project.restore',
  notifies: true,
  params: { id: idParam<ProjectId>('The project.') },
  answer: ProjectFull,
  versioned: true,
  async handle({ context, viewer, params: { id } }, work) {
    const { tx } = work
    const deleted = await lockDeletedProject(tx, viewer, id)
    const status = deleted.deleted_status ?? 'active'
    const version = deleted.version + 1
    await tx
      .updateTable('project')
      .set((row) => ({
        status,
        deleted_by: null,
        deleted_on: null,
        deleted_status: null,
        version,
        rights_epoch: row('rights_epoch', '+', 1),
      }))
      .where('id', '=', id)
      .execute()
    const object = `projects/${id}`
    await work.change({ object, op: 'update', project_id: id, before: { status: 'deleted' }, after: { status } })
    await work.recordEvent({ type: 'project.changed', object, project_id: id, payload: { changed: ['status'] } })
    await recordRightsEvent(work, id, 'everybody')
    const services = await serviceResources({ ...context, db: tx }, [id])
    const project = await findProject(tx, viewer, id)
    const body = representProject(project, services(id), furtherResources(viewer, project))
    return { body, version: projectVersion(project) }
  },
})

interface DeletedProject {
  readonly version: number
  readonly deleted_status: ProjectStatus | null
}

/** A project in the trash, locked. Visible to those who may restore it only, and no more once its purge has begun. */
async function lockDeletedProject(tx: Tx, viewer: Viewer, id: ProjectId): Promise<DeletedProject> {
  const rows = aliases('project')
  const { rows: found } = await sql<DeletedProject>`
    select project.version, project.deleted_status from project
    where project.id = ${id} and ${isRestorable(viewer, rows)} for update of project`.execute(tx)
  const [deleted] = found
  if (deleted) return deleted
  // Callers who see a project that is not in the trash get 403 rather than 404.
  requireProjectAdmin(viewer, await findProject(tx, viewer, id))
  throw hiddenError(viewer)
}
