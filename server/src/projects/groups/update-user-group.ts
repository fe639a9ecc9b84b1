import { Type } from 'typebox'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { bumpRightsEpoch } from '../membership.ts'
import { requireGroupName } from './create-user-group.ts'
import { findUserGroup } from './find-user-group.ts'
import { groupParam } from './user-group-id.ts'
import { representStaticGroup, UserGroup, withProject } from './user-group.ts'
import { requireEditable } from './user-references.ts'

export const updateUserGroup = writeRoute({
  method: 'PATCH',
  path: '/user_groups/:id',
  operationId: 'updateUserGroup',
  summary: 'Rename a user group.',
  description:
    'Gives a group another short name; its members and permissions stay, and access files of repositories have to use the new name. Project administrators. Groups of the platform, and a short name that is taken, are refused.',
  access: 'signed_in',
  action: 'user_group.update',
  notifies: true,
  params: { id: groupParam },
  body: Type.Object(
    { short_name: Type.String({ trim: true, description: 'Letters, digits, `_` and `-`.' }) },
    { title: 'UserGroupChanges' },
  ),
  answer: UserGroup,
  async handle({ viewer, params, body: { short_name } }, work) {
    const found = requireEditable(viewer, await findUserGroup(work.tx, viewer, params.id))
    if (found.kind !== 'static') throw new ApiError('group_not_editable')
    requireGroupName(short_name)
    const { project, group } = found
    if (short_name !== group.short_name) {
      await work.tx
        .updateTable('user_group')
        .set({ short_name })
        .where('id', '=', group.id)
        .execute()
        .catch((error: unknown) => {
          if (!isUniqueViolation(error, 'user_group_name')) throw error
          throw new ApiError('name_taken', { path: 'short_name', rule: 'unique' })
        })
      await bumpRightsEpoch(work.tx, project.id)
      await work.change({
        object: `user_groups/${group.id}`,
        op: 'update',
        project_id: project.id,
        before: { short_name: group.short_name },
        after: { short_name },
      })
      await work.recordEvent({
        type: 'project.changed',
        object: `projects/${project.id}`,
        project_id: project.id,
        payload: { changed: ['user_groups'] },
      })
    }
    return { body: withProject(representStaticGroup({ id: group.id, short_name }), project) }
  },
})
