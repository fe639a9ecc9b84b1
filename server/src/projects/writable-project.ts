import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/words/errors.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { findProject, type FoundProject, requireProjectAdmin } from './find-project.ts'
import type { ProjectId } from './project.ts'

/** The project, for a write by one of its administrators. */
export async function findAdministeredProject(tx: Tx, viewer: Viewer, id: ProjectId): Promise<FoundProject> {
  const project = await findProject(tx, viewer, id)
  requireProjectAdmin(viewer, project)
  requireWritable(project)
  return project
}

/** Site administrators still enter a project that is suspended or deleted, but nothing in it changes. */
export function requireWritable({ status }: FoundProject): void {
  if (status === 'suspended') throw new ApiError('rule_violated', { cause: 'project_suspended' })
  if (status === 'deleted') throw new ApiError('rule_violated', { cause: 'project_deleted' })
}
