import { type Static, Type } from 'typebox'
import { apiDate } from '../platform/wire/dates.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { type Id, toId } from '../platform/database/ids.ts'
import type { JobAttempt } from '../platform/jobs/jobs.ts'
import { JOB_MEMBERS } from '../platform/jobs/represent-job.ts'
import type { Param } from '../platform/http/route.ts'

export type JobId = Id<'job'>

export const JobWithAttempts = Type.Object(
  {
    ...JOB_MEMBERS,
    attempts_log: Type.Array(Type.Object({ on: Type.String(), duration_ms: Type.Integer(), error: Type.String() }), {
      description: 'Failures, the last 25.',
    }),
  },
  { title: 'JobWithAttempts' },
)
export type JobWithAttempts = Static<typeof JobWithAttempts>

/** Job ids are hexadecimal. A number that no job can have is not found, not malformed. */
export const jobParam: Param<JobId> = {
  schema: Type.String({ pattern: '^[0-9a-f]+$', description: 'The job.' }),
  parse(given, path) {
    if (!/^[0-9a-f]+$/i.test(given)) throw new ApiError('id_malformed', { path, rule: 'pattern' })
    const id = Number.parseInt(given, 16)
    return toId(Number.isSafeInteger(id) ? id : 0)
  },
}

export function representAttempts(log: readonly JobAttempt[]): JobWithAttempts['attempts_log'] {
  return log.map(({ on, duration_ms, error }) => ({ on: apiDate(new Date(on)), duration_ms, error }))
}
