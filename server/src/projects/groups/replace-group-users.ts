import { type Static, Type } from 'typebox'
import {
  findUsersBy,
  type NamedUser,
  USER_REFERENCE_KINDS,
  type UserReferenceKind,
} from '../../accounts/users/find-users-by.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { requireProjectAdmin } from '../find-project.ts'
import { requireWritable } from '../writable-project.ts'
import { findUserGroup, type FoundGroup } from './find-user-group.ts'
import { type EditableGroup, replaceMembers } from './replace-members.ts'
import { groupParam } from './user-group-id.ts'

const UserReference = Type.Object({
  id: Type.Optional(Type.Integer()),
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  ldap_id: Type.Optional(Type.String()),
})

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
    const named = readReferences(user_references)
    const found = await findUserGroup(work.tx, viewer, params.id)
    const group = requireEditable(viewer, found)
    const users = await resolveUsers(context, work.tx, viewer, named)
    await replaceMembers(work, group, users, context.clock.now())
    return {}
  },
})

interface NamedUsers {
  readonly kind: UserReferenceKind
  readonly names: readonly string[]
}

/** Parses the references: each names one person, and all use the same kind of name. */
function readReferences(references: readonly Static<typeof UserReference>[]): NamedUsers {
  const named = references.map((reference, at) => {
    const [kind, ...more] = USER_REFERENCE_KINDS.filter((each) => reference[each] !== undefined)
    if (kind === undefined || more.length > 0) throw new ApiError('parameter_conflict', { path: referencePath(at) })
    return { kind, name: String(reference[kind]) }
  })
  const kind = named[0]?.kind ?? 'id'
  const other = named.findIndex((each) => each.kind !== kind)
  if (other !== -1) throw new ApiError('parameter_conflict', { path: referencePath(other) })
  return { kind, names: named.map(({ name }) => name) }
}

/** Requires a group with its own members, and an administrator of its project. */
function requireEditable(viewer: Viewer, found: FoundGroup): EditableGroup {
  if (found.kind === 'system') throw new ApiError('group_not_editable')
  requireProjectAdmin(viewer, found.project)
  requireWritable(found.project)
  if (found.kind === 'static' && found.group.bound_to === null) return found
  if (found.kind === 'dynamic' && found.group !== 19) return { ...found, group: found.group }
  throw new ApiError('group_not_editable')
}

async function resolveUsers(
  context: Context,
  tx: Tx,
  viewer: Viewer,
  { kind, names }: NamedUsers,
): Promise<NamedUser[]> {
  const found = Map.groupBy(await findUsersBy(context, tx, viewer, kind, names), ({ name }) => name)
  return names.flatMap((name, at) => {
    const path = `${referencePath(at)}.${kind}`
    const [user, ...more] = found.get(name) ?? []
    if (!user) throw new ApiError('reference_unknown', { path, rule: 'exists' })
    if (more.length > 0) throw new ApiError('reference_ambiguous', { path, rule: 'unique' })
    return user
  })
}

function referencePath(at: number): string {
  return `user_references[${at}]`
}
