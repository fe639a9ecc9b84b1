import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { lockAdministeredProject } from '../lock-project.ts'
import { bumpRightsEpoch } from '../membership.ts'
import type { ProjectId, UserGroupId } from '../project.ts'
import { findUserGroup } from './find-user-group.ts'
import { groupParam } from './user-group-id.ts'
import { requireEditable } from './user-references.ts'

/** An object that refers to a group. */
export interface GroupUse {
  readonly type: 'tracker' | 'repository' | 'user_group'
  readonly id: number
  readonly label: string
}

interface DeletedGroup {
  readonly id: UserGroupId
  readonly short_name: string
  readonly project_id: ProjectId
}

/** Finds objects of a module that refer to the group, some of them if there are many. */
export type FindGroupUses = (tx: Tx, group: DeletedGroup) => Promise<readonly GroupUse[]>

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Modules add theirs in `ports.ts`. */
    readonly groupUses: readonly FindGroupUses[]
  }
}

export const deleteUserGroup = writeRoute({
  method: 'DELETE',
  path: '/user_groups/:id',
  operationId: 'deleteUserGroup',
  summary: 'Delete a user group that nothing refers to.',
  description:
    'Removes a group and its list of members, who stay members of the project. Project administrators. A group to which a tracker, an artifact, a comment or a repository refers is 400, with the trackers and repositories in `used_by`; groups of the platform are refused.',
  access: 'signed_in',
  action: 'user_group.delete',
  notifies: true,
  params: { id: groupParam },
  async handle({ context, viewer, params }, work) {
    const { tx } = work
    const found = requireEditable(viewer, await findUserGroup(tx, viewer, params.id))
    if (found.kind !== 'static') throw new ApiError('group_not_editable')
    const { id: project_id } = await lockAdministeredProject(tx, viewer, found.project.id)
    const group = { id: found.group.id, short_name: found.group.short_name, project_id }
    const used_by = [...(await findBoundGroups(tx, group))]
    for (const find of context.groupUses) used_by.push(...(await find(tx, group)))
    if (used_by.length > 0) throw new ApiError('rule_violated', { cause: 'group_used', used_by: distinct(used_by) })

    await tx.deleteFrom('user_group_member').where('user_group_id', '=', group.id).execute()
    await tx.deleteFrom('user_group').where('id', '=', group.id).execute()
    await bumpRightsEpoch(tx, project_id)
    const { short_name } = group
    await work.change({ object: `user_groups/${group.id}`, op: 'delete', project_id, before: { short_name } })
    await work.recordEvent({
      type: 'project.changed',
      object: `projects/${project_id}`,
      project_id,
      payload: { changed: ['user_groups'] },
    })
    return {}
  },
})

/** Groups that take their members from this one. */
const findBoundGroups: FindGroupUses = async (tx, { id }) => {
  const { rows } = await sql<GroupUse>`
    select 'user_group' as type, user_group.id, user_group.short_name as label from user_group
    where user_group.bound_to = ${id} order by user_group.id`.execute(tx)
  return rows
}

function distinct(uses: readonly GroupUse[]): GroupUse[] {
  return [...new Map(uses.map((use) => [`${use.type} ${use.id}`, use])).values()]
}
