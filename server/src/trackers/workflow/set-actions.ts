import { Type } from 'typebox'
import { toId } from '../../platform/database/ids.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { changeTracker } from '../change-tracker.ts'
import { findTransitionToChange } from '../find-part.ts'
import { newPartIds } from '../store-tracker.ts'
import type { ActionId, TransitionId } from '../tracker.ts'
import { ACTION_TYPES, SETTABLE_FIELD_TYPES } from './action-schemas.ts'
import { readActions } from './read-actions.ts'
import { replaceTerms } from './replace-transition.ts'

export const setActions = writeRoute({
  method: 'PUT',
  path: '/tracker_workflow_transitions/:id/actions',
  operationId: 'setTransitionActions',
  summary: 'Replace the actions of a transition; in simple mode, of all transitions to the same value.',
  description:
    'Replaces all actions of a transition. Tracker administrators. Unknown fields and addresses that are not http or https are refused.',
  access: 'signed_in',
  action: 'tracker.workflow',
  notifies: true,
  params: { id: idParam<TransitionId>('The transition.') },
  body: Type.Object({
    post_actions: Type.Array(
      Type.Object({
        id: Type.Optional(Type.Union([Type.Integer(), Type.Null()], { description: 'Absent: a new one.' })),
        type: Type.Enum([...ACTION_TYPES]),
        field_type: Type.Optional(Type.Enum([...SETTABLE_FIELD_TYPES])),
        field_id: Type.Optional(Type.Integer()),
        value: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Null()])),
        job_url: Type.Optional(Type.String({ maxLength: 2000 })),
        field_ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: 1000 })),
        fieldset_ids: Type.Optional(Type.Array(Type.Integer(), { maxItems: 1000 })),
      }),
      { maxItems: 100 },
    ),
  }),
  async handle({ context, viewer, params, body }, work) {
    const { tracker, workflow, transition } = await findTransitionToChange(context, work.tx, viewer, params.id)
    const read = readActions(tracker, workflow, transition, body.post_actions)
    const fresh = await newPartIds(work.tx, tracker, 'action', read.filter(({ id }) => id === null).length)
    const actions = read.map((action) => ({ ...action, id: action.id ?? toId<ActionId>(fresh.shift() ?? 0) }))
    const changed = replaceTerms(workflow, transition, { actions })
    await changeTracker(work, tracker, { workflow: changed }, { now: context.clock.now() })
    return {}
  },
})
