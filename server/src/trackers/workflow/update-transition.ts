import { Type } from 'typebox'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { changeTracker } from '../change-tracker.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { findTransitionToChange } from '../find-part.ts'
import type { TransitionId } from '../tracker.ts'
import { replaceTerms } from './replace-transition.ts'
import { parseFieldIds, parseGroupIds } from './transition-conditions.ts'

export const updateTransition = writeRoute({
  method: 'PATCH',
  path: '/tracker_workflow_transitions/:id',
  operationId: 'updateTransition',
  summary: 'Set the conditions of a transition; in simple mode, of all transitions to the same value.',
  description:
    'Sets who may use a transition, and which fields it requires. Tracker administrators. Unknown groups and fields are refused.',
  access: 'signed_in',
  action: 'tracker.workflow',
  notifies: true,
  params: { id: idParam<TransitionId>('The transition.') },
  body: Type.Object({
    authorized_user_group_ids: Type.Optional(
      Type.Array(Type.String(), { maxItems: 1000, description: 'The groups that may perform it; at least one.' }),
    ),
    not_empty_field_ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: 1000 })),
    is_comment_required: Type.Optional(Type.Boolean()),
  }),
  async handle({ context, viewer, params, body }, work) {
    const { tracker, workflow, transition } = await findTransitionToChange(context, work.tx, viewer, params.id)
    const { authorized_user_group_ids: ids, not_empty_field_ids: fields } = body
    const groups = ids ? parseGroupIds(tracker, ids) : transition.groups
    if (groups.length === 0)
      throw new ApiError('rule_violated', {
        path: 'authorized_user_group_ids',
        rule: 'min_length',
        cause: 'no_authorised_group',
      })
    const changed = replaceTerms(workflow, transition, {
      groups,
      not_empty: fields ? parseFieldIds(tracker, fields, 'not_empty_field_ids') : transition.not_empty,
      needs_comment: body.is_comment_required ?? transition.needs_comment,
    })
    await changeTracker(work, tracker, { workflow: changed }, { now: context.clock.now() })
    return {}
  },
})
