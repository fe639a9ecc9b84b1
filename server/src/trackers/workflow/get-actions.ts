import { Type } from 'typebox'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { findTransitionById } from '../find-part.ts'
import type { TransitionId } from '../tracker.ts'
import { ActionSchema, representAction } from './action-schemas.ts'

export const getActions = readRoute({
  method: 'GET',
  path: '/tracker_workflow_transitions/:id/actions',
  operationId: 'getTransitionActions',
  summary: 'Show the actions of a transition.',
  description:
    'Shows what a transition causes: jobs, values, frozen fields, hidden fieldsets. Tracker administrators. Others get 403.',
  access: 'signed_in',
  params: { id: idParam<TransitionId>('The transition.') },
  answer: Type.Array(ActionSchema),
  async handle({ context, viewer, params }) {
    const { tracker, transition } = await findTransitionById(context, context.db, viewer, params.id)
    return { body: transition.actions.map((action) => representAction(tracker, action)) }
  },
})
