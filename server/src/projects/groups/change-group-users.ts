import { Type } from 'typebox'
import { writeRoute } from '../../platform/http/route.ts'
import { changeMembers } from './change-members.ts'
import { findUserGroup } from './find-user-group.ts'
import { groupParam } from './user-group-id.ts'
import { readReferences, requireEditable, resolveUsers, UserReference } from './user-references.ts'

const references = (description: string) => Type.Optional(Type.Array(UserReference, { maxItems: 1000, description }))

export const changeGroupUsers = writeRoute({
  method: 'PATCH',
  path: '/user_groups/:id/users',
  operationId: 'changeGroupUsers',
  summary: 'Add people to a group, and remove others. All other members stay.',
  description:
    'Adds and removes members of a group; a member who leaves the project also stops administering it. Project administrators. Unknown people, groups that the platform fills itself, and a project without an administrator are refused.',
  access: 'signed_in',
  action: 'user_group.members',
  notifies: true,
  params: { id: groupParam },
  body: Type.Object(
    {
      add: references('Each has exactly one of `id`, `username`, `email`, `ldap_id`; all must use the same one.'),
      remove: references('As `add`.'),
    },
    { title: 'GroupUserChanges' },
  ),
  async handle({ context, viewer, params, body: { add = [], remove = [] } }, work) {
    const [toAdd, toRemove] = [readReferences(add, 'add'), readReferences(remove, 'remove')]
    const group = requireEditable(viewer, await findUserGroup(work.tx, viewer, params.id))
    const changes = {
      add: await resolveUsers(context, work.tx, viewer, toAdd),
      remove: await resolveUsers(context, work.tx, viewer, toRemove),
    }
    await changeMembers(work, group, changes, context.clock.now())
    return {}
  },
})
