import { type Static, Type } from 'typebox'
import { ApiError } from '../../platform/messages/errors.ts'
import type { Context } from '../../platform/operation/context.ts'

const MAX_MAPPINGS = 500

/** Which groups of projects the groups of a provider or directory give. */
export function groupMappings(valueDescription: string, maxValueLength: number) {
  const mapping = Type.Object({
    value: Type.String({ minLength: 1, maxLength: maxValueLength, trim: true, description: valueDescription }),
    user_group: Type.String({
      pattern: '^(?:\\d{3,}_[34]|\\d{3,})$',
      maxLength: 40,
      description: 'A static group (`108`), the members (`101_3`) or the administrators (`101_4`) of a project.',
    }),
  })
  return Type.Array(mapping, { maxItems: MAX_MAPPINGS, default: [] })
}

export type GroupMappings = Static<ReturnType<typeof groupMappings>>

/** Each mapped group exists and has members that can be set. */
export async function requireMappedGroups(
  context: Context,
  { group_mappings }: { readonly group_mappings: GroupMappings },
): Promise<void> {
  const groups = [...new Set(group_mappings.map(({ user_group }) => user_group))]
  const unknown = await context.identityGroups.findUnknown(context.db, groups)
  const index = group_mappings.findIndex(({ user_group }) => unknown.includes(user_group))
  if (index >= 0)
    throw new ApiError('reference_unknown', { path: `group_mappings[${index}].user_group`, rule: 'exists' })
}
