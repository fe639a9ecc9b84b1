import type { Static, TSchema } from 'typebox'
import type { Context } from '../operation/context.ts'

/** Metadata of the running job. */
export interface JobRun {
  readonly id: number
  readonly created_on: Date
  readonly request_id: string | null
}

/** A type of background job. It runs at least once, and again after a crash, so it must be idempotent. */
export interface Job {
  readonly type: string
  readonly payload: TSchema
  run(context: Context, payload: unknown, run: JobRun): Promise<void>
}

/** Thrown by a job that no retry can help: it is parked at once. */
export class PermanentJobError extends Error {}

/** Checks the payload type against the schema, then erases it. */
export function defineJob<P extends TSchema>(job: {
  readonly type: string
  readonly payload: P
  run(context: Context, payload: Static<P>, run: JobRun): Promise<void>
}): Job {
  return job
}
