import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Event } from '../../platform/database/events.ts'
import type { NewJob } from '../../platform/jobs/jobs.ts'
import { writePlace } from '../place.ts'

/** The job that makes a CI server run one of its own. */
export const RUN_JOB = 'run_job'

/** A server that does not answer takes 10 seconds of a worker: as few of these are at it, and the others are free. */
const AT_ONCE = 2

const Asking = Type.Object({ tracker_id: Type.Integer(), jobs: Type.Array(Type.Integer()) })

/** What the step that an event tells of starts elsewhere. By its id only: an address may hold a secret. */
export function runsAskedBy({ type, object, payload, xid, id }: Event, epoch: string): NewJob[] {
  if (!Check(Asking, payload)) return []
  const { tracker_id } = payload
  const told = { event: type, event_id: writePlace({ epoch, xid, id }) }
  return payload.jobs.map((action_id) => ({
    type: RUN_JOB,
    payload: { tracker_id, action_id, ...told, queue: `${RUN_JOB} ${tracker_id % AT_ONCE}` },
    ...(object !== null && { object }),
  }))
}
