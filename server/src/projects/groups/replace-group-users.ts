import { Type } from 'typebox'
import { writeRoute } from '../../platform/http/route.ts'
import { findUserGroup } from './find-user-group.ts'
import { replaceMembers } from './replace-members.ts'
import { groupParam } from './user-group-id.ts'
import { readReferences, requireEditable, resolveUsers, UserReference } from './user-references.ts'

export const replaceGroupUsers = writeRoute({
  method: 'PUT',
  path: '/user_groups/:id/users',
  operationId: 'replaceGroupUsers',
  summary: 'Replace the users in a group.',
  description:
    'Makes exactly these people the members of a group. Project administrators. Groups that the platform fills itself, and unknown people, are refused.',
  access: 'signed_in',
  action: 'user_group.members',
  notifies: true,
  params: { id: groupParam },
  body: Type.Object({
    user_references: Type.Array(UserReference, {
      description: 'Each has exactly one of `id`, `username`, `email`, `ldap_id`; all must use the same one.',
    }),
  }),
  bodyRules: { wrapper: 'user_references' },
  async handle({ context, viewer, params, body: { user_references } }, work) {
    const named = readReferences(user_references, 'user_references')
    const found = await findUserGroup(work.tx, viewer, params.id)
    const group = requireEditable(viewer, found)
    const users = await resolveUsers(context, work.tx, viewer, named)
    await replaceMembers(work, group, users, context.clock.now())
    return {}
  },
})
