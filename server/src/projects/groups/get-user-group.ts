import { readRoute } from '../../platform/http/route.ts'
import { findUserGroup, representGroup } from './find-user-group.ts'
import { groupParam } from './user-group-id.ts'
import { UserGroup, withProject } from './user-group.ts'

export const getUserGroup = readRoute({
  method: 'GET',
  path: '/user_groups/:id',
  operationId: 'getUserGroup',
  summary: 'Show a user group.',
  description:
    'Shows name and project of a group. Everyone who may see the project. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: groupParam },
  answer: UserGroup,
  async handle({ context, viewer, params, language }) {
    const found = await findUserGroup(context.db, viewer, params.id)
    return { body: withProject(representGroup(found, language), found.project) }
  },
})
