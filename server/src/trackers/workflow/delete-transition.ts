import { idParam, writeRoute } from '../../platform/http/route.ts'
import { changeTracker } from '../change-tracker.ts'
import { findTransitionToChange } from '../find-part.ts'
import type { TransitionId } from '../tracker.ts'

export const deleteTransition = writeRoute({
  method: 'DELETE',
  path: '/tracker_workflow_transitions/:id',
  operationId: 'deleteTransition',
  summary: 'Remove a transition.',
  description: 'Forbids a change from one value to another. Tracker administrators. Others get 403.',
  access: 'signed_in',
  action: 'tracker.workflow',
  notifies: true,
  params: { id: idParam<TransitionId>('The transition.') },
  async handle({ context, viewer, params }, work) {
    const { tracker, workflow, transition } = await findTransitionToChange(context, work.tx, viewer, params.id)
    const transitions = workflow.transitions.filter((each) => each.id !== transition.id)
    await changeTracker(work, tracker, { workflow: { ...workflow, transitions } }, { now: context.clock.now() })
    return {}
  },
})
