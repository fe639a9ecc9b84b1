import { Type } from 'typebox'
import { toId } from '../../platform/database/ids.ts'
import { defineJob, Hopeless } from '../../platform/jobs/job.ts'
import type { Context } from '../../platform/operation/context.ts'
import { memoryOf } from '../../platform/operation/short-memory.ts'
import { isActiveProject, trackerNow } from '../../trackers/find-tracker.ts'
import type { ActionId, TrackerId } from '../../trackers/tracker.ts'
import { isSuccess, isTransient } from '../webhooks/record-outcome.ts'
import { send } from '../webhooks/send.ts'
import { RUN_JOB } from './order-runs.ts'

// A server that keeps silent costs each job the whole time limit, and other jobs wait behind it: after one of them the next
// ones fail at once for a while, and are tried again like that one.
const SILENCE = new Set(['timeout', 'connect_timeout'])
const REST_MS = 60_000
const silentFor = memoryOf<string, number>(1000)

/** Asks a CI server to run a job, by an empty POST. The step that wanted it was made, whatever comes of this. */
export const workflowJob = defineJob({
  type: RUN_JOB,
  payload: Type.Object({
    tracker_id: Type.Integer(),
    action_id: Type.Integer(),
    event: Type.String(),
    event_id: Type.String(),
  }),
  async run(context, { tracker_id, action_id, event, event_id }) {
    const url = await findAddress(context, toId<TrackerId>(tracker_id), toId<ActionId>(action_id))
    if (url === undefined) return
    // The same on every repetition: a server that was asked before can tell.
    const headers = { 'user-agent': 'Waypost-Webhook/1', 'x-waypost-event': event, 'x-waypost-event-id': event_id }
    const [silent, now] = [silentFor(context), context.clock.now().getTime()]
    const { host } = new URL(url)
    if (now < (silent.get(host) ?? 0)) throw new Error('The server has just kept silent.')
    const outcome = await send(context, url, { headers, body: '' })
    if (isSuccess(outcome)) return
    if (SILENCE.has(outcome.error ?? '')) silent.set(host, now + REST_MS)
    const error = outcome.error ?? `The server answered ${outcome.status}.`
    throw isTransient(outcome) ? new Error(error) : new Hopeless(error)
  },
})

/** As the tracker says now; undefined: it asks for this no more. */
async function findAddress(context: Context, id: TrackerId, action_id: ActionId): Promise<string | undefined> {
  const tracker = await trackerNow(context, context.db, id)
  if (!tracker || !isActiveProject(tracker)) return undefined
  const actions = tracker.workflow?.transitions.flatMap((transition) => transition.actions) ?? []
  const action = actions.find((each) => each.id === action_id)
  return action?.type === 'run_job' ? action.job_url : undefined
}
