import { Type } from 'typebox'
import { toId } from '../../platform/database/ids.ts'
import { defineJob, PermanentJobError } from '../../platform/jobs/job.ts'
import type { Clock, Context } from '../../platform/operation/context.ts'
import { type Cooldown, createCooldown } from '../../platform/operation/cooldown.ts'
import { loadCurrentTracker } from '../../trackers/find-tracker.ts'
import { isInActiveProject } from '../../trackers/load-tracker.ts'
import type { ActionId, TrackerId } from '../../trackers/tracker.ts'
import { isSuccess, isTransient } from '../webhooks/record-outcome.ts'
import { sendOutboundRequest } from '../webhooks/send-outbound-request.ts'
import { RUN_JOB } from './plan-job-runs.ts'

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** By the host of the job. */
    readonly jobCooldown: Cooldown<string>
  }
}

// A silent server costs each job the full timeout while other jobs wait. After one timeout, the next jobs for this host
// fail at once during a cooldown, and are retried.
const TIMEOUT_ERRORS = new Set(['timeout', 'connect_timeout'])
const COOLDOWN_MS = 60_000

export function createJobCooldown(clock: Clock): Cooldown<string> {
  return createCooldown(clock, COOLDOWN_MS)
}

/** Starts a run on a CI server by an empty POST. The transition stands, whatever the outcome. */
export const workflowJob = defineJob({
  type: RUN_JOB,
  payload: Type.Object({
    tracker_id: Type.Integer(),
    action_id: Type.Integer(),
    event: Type.String(),
    event_id: Type.String(),
  }),
  async run(context, { tracker_id, action_id, event, event_id }) {
    const url = await findJobUrl(context, toId<TrackerId>(tracker_id), toId<ActionId>(action_id))
    if (url === undefined) return
    // Equal on every retry, so that the server can recognize duplicates.
    const headers = { 'user-agent': 'Waypost-Webhook/1', 'x-waypost-event': event, 'x-waypost-event-id': event_id }
    const { host } = new URL(url)
    if (context.jobCooldown.isActive(host)) throw new Error('The server did not answer a moment ago.')
    const outcome = await sendOutboundRequest(context, url, { headers, body: '' })
    if (isSuccess(outcome)) return
    if (TIMEOUT_ERRORS.has(outcome.error ?? '')) context.jobCooldown.start(host)
    const error = outcome.error ?? `The server answered ${outcome.status}.`
    throw isTransient(outcome) ? new Error(error) : new PermanentJobError(error)
  },
})

/** The current address of the action; undefined: the tracker has removed it. */
async function findJobUrl(context: Context, id: TrackerId, action_id: ActionId): Promise<string | undefined> {
  const tracker = await loadCurrentTracker(context, context.db, id)
  if (!tracker || !isInActiveProject(tracker)) return undefined
  const actions = tracker.workflow?.transitions.flatMap((transition) => transition.actions) ?? []
  const action = actions.find((each) => each.id === action_id)
  return action?.type === 'run_job' ? action.job_url : undefined
}
