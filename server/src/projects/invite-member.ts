import { sql } from 'kysely'
import type { InvitedProjects } from '../accounts/invitations/invited-projects.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/words/errors.ts'
import { isId } from '../platform/database/ids.ts'
import { findProject, requireProjectAdmin } from './find-project.ts'
import { moveRights, tellMembers } from './membership.ts'
import { type Project, type ProjectId, representMinimal } from './project.ts'
import { requireWritable } from './writable-project.ts'

export const invitedProjects: InvitedProjects = {
  async requireMayInvite(tx, viewer, id) {
    // Named in a body: absent and hidden are both unknown.
    const project = await findProject(tx, viewer, asProject(id)).catch((error: unknown) => {
      throw error instanceof ApiError
        ? new ApiError('reference_unknown', { path: 'project_id', rule: 'exists' })
        : error
    })
    requireProjectAdmin(viewer, project)
    requireWritable(project)
    return representMinimal(project)
  },

  describe: async (db, id) => {
    const project = await findOpen(db, asProject(id))
    return project ? representMinimal(project) : null
  },

  async addMember(work, id, { id: account_id, status }, now) {
    const project = asProject(id)
    const found = await findOpen(work.tx, project)
    if (!found || (status === 'R' && found.access === 'private-wo-restr')) return 'not_possible'
    await moveRights(work.tx, project)
    const { numInsertedOrUpdatedRows: added } = await work.tx
      .insertInto('project_member')
      .values({ project_id: project, account_id, added_on: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (added !== 1n) return 'already'
    await tellMembers(work, project, { added: [account_id] })
    await work.change({
      object: `user_groups/${project}_3`,
      op: 'update',
      action: 'project.member_add',
      project_id: project,
      after: { added: [account_id] },
      isUntold: !work.origin.viewer.is_site_admin, // Whose address it is that was invited.
    })
    return 'added'
  },
}

async function findOpen(
  db: Db | Tx,
  id: ProjectId,
): Promise<Omit<Project, 'description' | 'is_member_of'> | undefined> {
  const { rows } = await sql<Omit<Project, 'description' | 'is_member_of'>>`
    select project.id, project.shortname, project.label, project.icon, project.status, project.access, project.is_template
    from project where project.id = ${id} and project.status = 'active'`.execute(db)
  return rows[0]
}

function asProject(id: number): ProjectId {
  if (!isId<ProjectId>(id)) throw new ApiError('reference_unknown', { path: 'project_id', rule: 'exists' })
  return id
}
