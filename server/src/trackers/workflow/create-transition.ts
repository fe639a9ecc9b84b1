import { Type } from 'typebox'
import { hiddenError } from '../../accounts/auth-errors.ts'
import { toId } from '../../platform/database/ids.ts'
import { writeRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { changeTracker } from '../change-tracker.ts'
import { findTrackerToChange } from '../find-part.ts'
import type { LoadedTracker } from '../load-tracker.ts'
import { newPartIds } from '../store-tracker.ts'
import type { ListValueId, TrackerId, Transition, TransitionId } from '../tracker.ts'
import { stateTerms } from './replace-transition.ts'
import { findTransition } from './transition.ts'

export const createTransition = writeRoute({
  method: 'POST',
  path: '/tracker_workflow_transitions',
  operationId: 'createTransition',
  summary: 'Add a transition to the workflow of a tracker.',
  description:
    'Allows a change from one value to another; `from_id` 0 is a new artifact. Tracker administrators. A transition that exists, unknown values, and trackers without a workflow are refused.',
  access: 'signed_in',
  action: 'tracker.workflow',
  notifies: true,
  body: Type.Object({
    tracker_id: Type.Integer(),
    from_id: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: '0: a new artifact.' }),
    to_id: Type.Integer({ minimum: 0 }),
  }),
  answer: Type.Object({ id: Type.Integer(), uri: Type.String() }),
  status: 201,
  dryRun: { omits: ['id', 'uri'] },
  async handle({ context, viewer, body: { tracker_id, from_id, to_id } }, work) {
    if ((from_id ?? 0) === to_id)
      throw new ApiError('duplicate_entry', { path: 'to_id', cause: 'transition_same_value' })
    const { tracker } = await findTrackerToChange(context, work.tx, viewer, toId<TrackerId>(Math.max(tracker_id, 0)))
    const { workflow } = tracker
    if (!workflow) throw hiddenError(viewer)
    const from = from_id === null || from_id === 0 ? null : valueIn(tracker, from_id, viewer)
    const to = valueIn(tracker, to_id, viewer)
    if (findTransition(workflow, from, to))
      throw new ApiError('duplicate_entry', { path: 'to_id', rule: 'unique', cause: 'transition_exists' })

    const [id = 0] = await newPartIds(work.tx, tracker, 'transition', 1)
    const made: Transition = { id: toId<TransitionId>(id), from, to, ...stateTerms(workflow, to) }
    const transitions = [...workflow.transitions, made]
    await changeTracker(work, tracker, { workflow: { ...workflow, transitions } }, { now: context.clock.now() })
    const uri = `tracker_workflow_transitions/${id}`
    return { body: { id, uri }, location: uri }
  },
})

/** Finds a value of the workflow field. */
function valueIn({ workflow, byId }: LoadedTracker, id: number, viewer: Viewer): ListValueId {
  const bind = workflow && byId.get(workflow.field_id)?.bind
  const value = bind?.type === 'static' ? bind.values.find((each) => each.id === id) : undefined
  if (!value) throw hiddenError(viewer)
  return value.id
}
