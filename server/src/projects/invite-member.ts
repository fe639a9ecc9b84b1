import { sql } from 'kysely'
import type { InvitedProjects } from '../accounts/invitations/invited-projects.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { isId } from '../platform/database/ids.ts'
import { findProject, requireProjectAdmin } from './find-project.ts'
import { bumpRightsEpoch, recordMembershipEvents } from './membership.ts'
import { type Project, type ProjectId, representProjectMinimal } from './project.ts'
import { requireWritable } from './writable-project.ts'

export const invitedProjects: InvitedProjects = {
  async requireAdministered(tx, viewer, id) {
    // A project id in a body: absent and hidden are both unknown references.
    const project = await findProject(tx, viewer, toProjectId(id)).catch((error: unknown) => {
      throw error instanceof ApiError
        ? new ApiError('reference_unknown', { path: 'project_id', rule: 'exists' })
        : error
    })
    requireProjectAdmin(viewer, project)
    requireWritable(project)
    return representProjectMinimal(project)
  },

  isAdministeredBy: (project, account) => sql`exists (select from project_member administrator
    where administrator.project_id = ${project} and administrator.account_id = ${account} and administrator.is_admin)`,

  isOpen: (project) => sql`exists (select from project where project.id = ${project} and project.status = 'active')`,

  describe: async (db, id) => {
    const project = await findActiveProject(db, toProjectId(id))
    return project ? representProjectMinimal(project) : null
  },

  async addMember(work, id, { id: account_id, status }, now) {
    const project = toProjectId(id)
    const found = await findActiveProject(work.tx, project)
    if (!found || (status === 'R' && found.access === 'private-wo-restr')) return 'not_possible'
    await bumpRightsEpoch(work.tx, project)
    const { numInsertedOrUpdatedRows: added } = await work.tx
      .insertInto('project_member')
      .values({ project_id: project, account_id, added_on: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (added !== 1n) return 'already'
    await recordMembershipEvents(work, project, { added: [account_id] })
    await work.change({
      object: `user_groups/${project}_3`,
      op: 'update',
      action: 'project.member_add',
      project_id: project,
      after: { added: [account_id] },
      isHiddenFromCaller: !work.origin.viewer.is_site_admin, // The account of the invited address is not revealed.
    })
    return 'added'
  },
}

async function findActiveProject(
  db: Db | Tx,
  id: ProjectId,
): Promise<Omit<Project, 'description' | 'is_member_of'> | undefined> {
  const { rows } = await sql<Omit<Project, 'description' | 'is_member_of'>>`
    select project.id, project.shortname, project.label, project.icon, project.status, project.access, project.is_template
    from project where project.id = ${id} and project.status = 'active'`.execute(db)
  return rows[0]
}

function toProjectId(id: number): ProjectId {
  if (!isId<ProjectId>(id)) throw new ApiError('reference_unknown', { path: 'project_id', rule: 'exists' })
  return id
}
