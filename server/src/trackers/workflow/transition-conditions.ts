import { type Static, Type } from 'typebox'
import { Resources, resourcesBelow } from '../../platform/wire/resources.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { fieldTypeOf } from '../field-types/field-types.ts'
import { groupIdOf } from '../group-id-of.ts'
import type { LoadedTracker } from '../load-tracker.ts'
import type { FieldId, GroupNumber, Transition } from '../tracker.ts'

export const TransitionSchema = Type.Object(
  {
    id: Type.Integer(),
    from_id: Type.Union([Type.Integer(), Type.Null()], { description: 'Null: a new artifact.' }),
    to_id: Type.Integer(),
    authorized_user_group_ids: Type.Array(Type.String()),
    not_empty_field_ids: Type.Array(Type.Integer()),
    is_comment_required: Type.Boolean(),
    resources: Resources,
  },
  { title: 'Transition' },
)

export function representTransition(tracker: LoadedTracker, transition: Transition): Static<typeof TransitionSchema> {
  return {
    id: transition.id,
    from_id: transition.from,
    to_id: transition.to,
    authorized_user_group_ids: transition.groups.map((group) => groupIdOf(tracker, group)),
    not_empty_field_ids: [...transition.not_empty],
    is_comment_required: transition.needs_comment,
    resources: resourcesBelow(`tracker_workflow_transitions/${transition.id}`, ['actions']),
  }
}

/** Resolves group ids, without duplicates. */
export function parseGroupIds(tracker: LoadedTracker, ids: readonly string[]): GroupNumber[] {
  const known = new Map<string, GroupNumber>()
  for (const group of [1, 2, 5, 3, 4, 19, ...tracker.project.groups.keys()]) {
    known.set(groupIdOf(tracker, group), group)
    known.set(`${tracker.project_id}_${group}`, group)
  }
  const groups = ids.map((id, index) => {
    const group = known.get(id)
    if (group === undefined)
      throw new ApiError('reference_unknown', { path: `authorized_user_group_ids[${index}]`, rule: 'exists' })
    return group
  })
  return [...new Set(groups)]
}

/** Resolves field ids, without duplicates. */
export function parseFieldIds({ byId }: LoadedTracker, ids: readonly number[], path: string): FieldId[] {
  const fields = ids.map((id, index) => {
    const element = byId.values().find((each) => each.id === id)
    if (!element?.is_used || fieldTypeOf(element).kind !== 'field')
      throw new ApiError('reference_unknown', { path: `${path}[${index}]`, rule: 'exists' })
    return element.id
  })
  return [...new Set(fields)]
}
