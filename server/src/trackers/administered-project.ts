import type { Viewer } from '../platform/http/viewer.ts'
import { requireActiveProject } from './load-tracker.ts'
import type { Tx, Db } from '../platform/database/db.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { findProject, type FoundProject } from '../projects/find-project.ts'
import type { ProjectId } from '../projects/project.ts'

/** Finds a project whose trackers the viewer administers. */
export async function findProjectToAdministerTrackers(
  db: Db | Tx,
  viewer: Viewer,
  id: ProjectId,
): Promise<FoundProject> {
  const project = await findProject(db, viewer, id)
  requireTrackerProjectAdmin(viewer, project.is_admin)
  requireActiveProject({ project })
  return project
}

export function requireTrackerProjectAdmin(viewer: Viewer, isAdmin: boolean): void {
  if (isAdmin || viewer.is_site_admin) return
  if (viewer.account_id === undefined) throw new ApiError('authentication_required')
  throw new ApiError('permission_denied', { who_may: ['project_admin'], cause: 'not_project_admin' })
}
