import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Event } from '../../platform/database/events.ts'
import type { NewJob } from '../../platform/jobs/jobs.ts'
import { formatFeedCursor } from '../feed-cursor.ts'

/** The job type that starts a run on a CI server. */
export const RUN_JOB = 'run_job'

/** A silent server blocks a worker for 10 seconds, so few workers run these jobs. */
const RUN_CONCURRENCY = 2

const JobRunPayload = Type.Object({ tracker_id: Type.Integer(), jobs: Type.Array(Type.Integer()) })

/**
 * The jobs that the transition of an event starts. They name the action by id only, because its address may contain a
 * secret.
 */
export function jobRunsForEvent({ type, object, payload, position }: Event, epoch: string): NewJob[] {
  if (!Check(JobRunPayload, payload)) return []
  const { tracker_id } = payload
  const eventReference = { event: type, event_id: formatFeedCursor({ epoch, position }) }
  return payload.jobs.map((action_id) => ({
    type: RUN_JOB,
    payload: { tracker_id, action_id, ...eventReference, queue: `${RUN_JOB} ${tracker_id % RUN_CONCURRENCY}` },
    ...(object !== null && { object }),
  }))
}
