import { Type } from 'typebox'
import { ApiError } from '../../platform/words/errors.ts'
import { parseId } from '../../platform/database/ids.ts'
import type { Param } from '../../platform/http/route.ts'
import { type ProjectId, RESERVED, type UserGroupId } from '../project.ts'

export const SYSTEM_GROUPS = [1, 2, 5, 100] as const
export type SystemGroup = (typeof SYSTEM_GROUPS)[number]

/** Every project has these; who is in them follows from the memberships. */
export const DYNAMIC_GROUPS = [3, 4, 19] as const
export type DynamicGroup = (typeof DYNAMIC_GROUPS)[number]

// Of services that there are not: the form is right, and nothing has it.
const ABSENT_GROUPS = [11, 12, 13, 14]

/** What the id of a user group names: `2`, `101_3`, `108`, or `101_108`. */
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
  if (number > RESERVED) return { kind: 'static', group: parseId<UserGroupId>(second, path), project_id }
  throw new ApiError('id_malformed', { path, rule: 'format' })
}

function parsePlain(text: string, path: string): GroupName {
  const number = Number(text)
  const group = SYSTEM_GROUPS.find((each) => each === number)
  if (group) return { kind: 'system', group }
  if (number > RESERVED) return { kind: 'static', group: parseId<UserGroupId>(text, path), project_id: undefined }
  throw new ApiError('id_malformed', { path, rule: 'format' })
}
