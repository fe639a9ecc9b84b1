import type { Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { findProject, type FoundProject, requireProjectAdmin } from './find-project.ts'
import type { ProjectId } from './project.ts'

/** Finds a project for a change by an administrator, and locks it until the transaction ends. */
export async function lockAdministeredProject(tx: Tx, viewer: Viewer, id: ProjectId): Promise<FoundProject> {
  // Check the permission before taking the lock, so that unauthorized callers cannot block others.
  requireProjectAdmin(viewer, await findProject(tx, viewer, id))
  await tx.selectFrom('project').select('id').where('id', '=', id).forUpdate().execute()
  const project = await findProject(tx, viewer, id) // It may have changed while waiting for the lock.
  requireProjectAdmin(viewer, project)
  return project
}
