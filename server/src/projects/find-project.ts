import { sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import { hiddenError, permissionError } from '../accounts/auth-errors.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { isId } from '../platform/database/ids.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Project, ProjectId } from './project.ts'
import { isMemberOf, mayEnter } from './visibility.ts'

export interface FoundProject extends Project {
  banner: string | null
  version: number
  is_admin: boolean
  is_svn_admin: boolean
}

/** Finds a project that the viewer may enter. Members of a suspended project get an error that says so. */
export async function findProject(db: Db | Tx, viewer: Viewer, id: ProjectId): Promise<FoundProject> {
  const { rows } = await sql<FoundProject & { may_enter: boolean }>`
    select project.id, project.shortname, project.label, project.icon, project.description, project.status,
      project.access, project.is_template, project.banner, project.version,
      coalesce(member.is_admin, false) as is_admin, coalesce(member.is_svn_admin, false) as is_svn_admin,
      ${isMemberOf(viewer, aliases('project'))} as is_member_of, ${mayEnter(viewer, aliases('project'))} as may_enter
    from project left join project_member member
      on member.project_id = project.id and member.account_id = ${viewer.account_id ?? null}
    where project.id = ${id}`.execute(db)
  const [found] = rows
  if (found?.may_enter) return found
  if (found?.status === 'suspended' && found.is_member_of) throw new ApiError('project_suspended')
  throw hiddenError(viewer)
}

/** A project id in a body: an absent or hidden project is an unknown reference. */
export async function findReferencedProject(db: Db | Tx, viewer: Viewer, id: number): Promise<FoundProject> {
  const unknown = new ApiError('reference_unknown', { path: 'project_id', rule: 'exists' })
  if (!isId<ProjectId>(id)) throw unknown
  return findProject(db, viewer, id).catch((error: unknown) => {
    throw error instanceof ApiError ? unknown : error
  })
}

/** Requires a project administrator, a site administrator, or the CLI. */
export function requireProjectAdmin(viewer: Viewer, project: FoundProject): void {
  if (!project.is_admin && !viewer.is_site_admin) throw permissionError(viewer, 'project_admin')
}
