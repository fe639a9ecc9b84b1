import { type Static, Type } from 'typebox'
import {
  findUsersBy,
  type NamedUser,
  USER_REFERENCE_KINDS,
  type UserReferenceKind,
} from '../../accounts/users/find-users-by.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { Context } from '../../platform/operation/context.ts'
import { requireProjectAdmin } from '../find-project.ts'
import { requireWritable } from '../writable-project.ts'
import type { FoundGroup } from './find-user-group.ts'
import type { EditableGroup } from './replace-members.ts'

export const UserReference = Type.Object({
  id: Type.Optional(Type.Integer()),
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  ldap_id: Type.Optional(Type.String()),
})

export interface NamedUsers {
  /** The member of the body that has the references. */
  readonly path: string
  readonly kind: UserReferenceKind
  readonly names: readonly string[]
}

/** Parses the references: each names one person, and all use the same kind of name. */
export function readReferences(references: readonly Static<typeof UserReference>[], path: string): NamedUsers {
  const named = references.map((reference, at) => {
    const [kind, ...more] = USER_REFERENCE_KINDS.filter((each) => reference[each] !== undefined)
    if (kind === undefined || more.length > 0) throw new ApiError('parameter_conflict', { path: `${path}[${at}]` })
    return { kind, name: String(reference[kind]) }
  })
  const kind = named[0]?.kind ?? 'id'
  const other = named.findIndex((each) => each.kind !== kind)
  if (other !== -1) throw new ApiError('parameter_conflict', { path: `${path}[${other}]` })
  return { path, kind, names: named.map(({ name }) => name) }
}

/** Requires a group with its own members, and an administrator of its project. */
export function requireEditable(viewer: Viewer, found: FoundGroup): EditableGroup {
  if (found.kind === 'system') throw new ApiError('group_not_editable')
  requireProjectAdmin(viewer, found.project)
  requireWritable(found.project)
  if (found.kind === 'static' && found.group.bound_to === null) return found
  if (found.kind === 'dynamic' && found.group !== 19) return { ...found, group: found.group }
  throw new ApiError('group_not_editable')
}

/** The referenced people, if the viewer may see all of them. */
export async function resolveUsers(
  context: Context,
  tx: Tx,
  viewer: Viewer,
  { path: list, kind, names }: NamedUsers,
): Promise<NamedUser[]> {
  const found = Map.groupBy(await findUsersBy(context, tx, viewer, kind, names), ({ name }) => name)
  return names.flatMap((name, at) => {
    const path = `${list}[${at}].${kind}`
    const [user, ...more] = found.get(name) ?? []
    if (!user) throw new ApiError('reference_unknown', { path, rule: 'exists' })
    if (more.length > 0) throw new ApiError('reference_ambiguous', { path, rule: 'unique' })
    return user
  })
}
