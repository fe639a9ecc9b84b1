import { Type } from 'typebox'
import { ApiError } from '../../platform/messages/errors.ts'
import { parseId } from '../../platform/database/ids.ts'
import type { Param } from '../../platform/http/route.ts'
import { type ProjectId, MAX_RESERVED_ID, type UserGroupId } from '../project.ts'

export const SYSTEM_GROUPS = [1, 2, 5, 100] as const
export type SystemGroup = (typeof SYSTEM_GROUPS)[number]

/** Every project has these groups; their members are derived from the memberships. */
export const DYNAMIC_GROUPS = [3, 4, 19] as const
export type DynamicGroup = (typeof DYNAMIC_GROUPS)[number]

// Groups of services that do not exist here: valid ids without a group.
const ABSENT_GROUPS = [11, 12, 13, 14]

/** The parsed id of a user group: `2`, `101_3`, `108`, or `101_108`. */
export type GroupName =
  | { readonly kind: 'system'; readonly group: SystemGroup }
  | { readonly kind: 'dynamic'; readonly group: DynamicGroup; readonly project_id: ProjectId }
  | { readonly kind: 'static'; readonly group: UserGroupId; readonly project_id: ProjectId | undefined }
  | { readonly kind: 'absent'; readonly project_id: ProjectId }

export const groupParam: Param<GroupName> = {
  schema: Type.String({ pattern: '^\\d+(_\\d+)?$', description: 'The user group: `101_3`, or `108`.' }),
  parse: parseGroupName,
}

function parseGroupName(text: string, path: string): GroupName {
  const [, first = '', second] = /^(\d+)(?:_(\d+))?$/.exec(text) ?? []
  if (first === '') throw new ApiError('id_malformed', { path, rule: 'format' })
  if (second === undefined) return parsePlain(first, path)
  const project_id = parseId<ProjectId>(first, path)
  const number = Number(second)
  const group = DYNAMIC_GROUPS.find((each) => each === number)
  if (group) return { kind: 'dynamic', group, project_id }
  if (ABSENT_GROUPS.includes(number)) return { kind: 'absent', project_id }
  if (number > MAX_RESERVED_ID) return { kind: 'static', group: parseId<UserGroupId>(second, path), project_id }
  throw new ApiError('id_malformed', { path, rule: 'format' })
}

function parsePlain(text: string, path: string): GroupName {
  const number = Number(text)
  const group = SYSTEM_GROUPS.find((each) => each === number)
  if (group) return { kind: 'system', group }
  if (number > MAX_RESERVED_ID)
    return { kind: 'static', group: parseId<UserGroupId>(text, path), project_id: undefined }
  throw new ApiError('id_malformed', { path, rule: 'format' })
}
