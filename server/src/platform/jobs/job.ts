import type { Static, TSchema } from 'typebox'
import type { Context } from '../operation/context.ts'

/** What a job knows of itself while it runs. */
export interface JobRun {
  readonly id: number
  readonly created_on: Date
  readonly request_id: string | null
}

/** A kind of background work. It runs at least once, perhaps again after a crash: what it does must bear repetition. */
export interface Job {
  readonly type: string
  readonly payload: TSchema
  run(context: Context, payload: unknown, run: JobRun): Promise<void>
}

/** Thrown by a job that no further attempt would help: it is parked at once. */
export class Hopeless extends Error {}

/** Its parts were checked against each other here; among all the others, the type of its payload is open. */
export function defineJob<P extends TSchema>(job: {
  readonly type: string
  readonly payload: P
  run(context: Context, payload: Static<P>, run: JobRun): Promise<void>
}): Job {
  return job
}
