import { idParam, readRoute } from '../../platform/http/route.ts'
import { findTransitionById } from '../find-part.ts'
import type { TransitionId } from '../tracker.ts'
import { representTransition, TransitionSchema } from './transition-conditions.ts'

export const getTransition = readRoute({
  method: 'GET',
  path: '/tracker_workflow_transitions/:id',
  operationId: 'getTransition',
  summary: 'Show a transition and its conditions.',
  description: 'Shows conditions: groups, required fields, comment. Tracker administrators. Others get 403.',
  access: 'signed_in',
  params: { id: idParam<TransitionId>('The transition.') },
  answer: TransitionSchema,
  async handle({ context, viewer, params }) {
    const { tracker, transition } = await findTransitionById(context, context.db, viewer, params.id)
    return { body: representTransition(tracker, transition) }
  },
})
