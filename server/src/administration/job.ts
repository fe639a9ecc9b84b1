import { type Static, Type } from 'typebox'
import { apiDate } from '../platform/wire/dates.ts'
import { ApiError } from '../platform/words/errors.ts'
import { type Id, toId } from '../platform/database/ids.ts'
import { JOB_STATES, type LedgerEntry } from '../platform/jobs/job-ledger.ts'
import type { Attempt } from '../platform/jobs/jobs.ts'
import type { Param } from '../platform/http/route.ts'

export type JobId = Id<'job'>

const text = Type.Union([Type.String(), Type.Null()])

export const JobStateSchema = Type.Enum([...JOB_STATES], {
  description: '`parked`: it failed too often, and waits for an administrator.',
})

const members = {
  id: Type.String(),
  uri: Type.String(),
  type: Type.String(),
  state: JobStateSchema,
  attempts: Type.Integer(),
  max_attempts: Type.Integer(),
  object: text,
  created_on: Type.String(),
  run_after: text,
  last_error: text,
  request_id: text,
}

export const JobSchema = Type.Object(members, { title: 'Job' })
export type JobSchema = Static<typeof JobSchema>

export const JobWithAttempts = Type.Object(
  {
    ...members,
    attempts_log: Type.Array(Type.Object({ on: Type.String(), duration_ms: Type.Integer(), error: Type.String() }), {
      description: 'Failures, the last 25.',
    }),
  },
  { title: 'JobWithAttempts' },
)
export type JobWithAttempts = Static<typeof JobWithAttempts>

/** Ids of jobs are written in hexadecimal digits. A number that no job can have is absent, not malformed. */
export const jobParam: Param<JobId> = {
  schema: Type.String({ pattern: '^[0-9a-f]+$', description: 'The job.' }),
  parse(given, path) {
    if (!/^[0-9a-f]+$/i.test(given)) throw new ApiError('id_malformed', { path, rule: 'pattern' })
    const id = Number.parseInt(given, 16)
    return toId(Number.isSafeInteger(id) ? id : 0)
  },
}

export function jobUri(id: number): string {
  return `jobs/${id.toString(16)}`
}

export function representJob(entry: LedgerEntry): JobSchema {
  const { id, type, state, attempts, max_attempts, object, created_on, run_after, last_error, request_id } = entry
  return {
    id: id.toString(16),
    uri: jobUri(id),
    type,
    state,
    attempts,
    max_attempts,
    object,
    created_on: apiDate(created_on),
    run_after: run_after && apiDate(run_after),
    last_error,
    request_id,
  }
}

export function representAttempts(log: readonly Attempt[]): JobWithAttempts['attempts_log'] {
  return log.map(({ on, duration_ms, error }) => ({ on: apiDate(new Date(on)), duration_ms, error }))
}
