import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { findProject, type FoundProject, requireProjectAdmin } from './find-project.ts'
import type { ProjectId, ProjectStatus } from './project.ts'

/** Finds a project for a write by an administrator. */
export async function findWritableProject(tx: Tx, viewer: Viewer, id: ProjectId): Promise<FoundProject> {
  const project = await findProject(tx, viewer, id)
  requireProjectAdmin(viewer, project)
  requireWritable(project)
  return project
}

/** Site administrators may enter a suspended project, but may not change it. */
export function requireWritable({ status }: FoundProject): void {
  requireUnarchived(status)
  if (status === 'suspended') throw new ApiError('rule_violated', { cause: 'project_suspended' })
}

/** An archived project is readable, but accepts no writes. */
export function requireUnarchived(status: ProjectStatus): void {
  if (status === 'archived') throw new ApiError('project_archived')
}
