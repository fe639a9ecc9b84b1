import { type Static, Type } from 'typebox'
import { apiDate } from '../wire/dates.ts'
import { JOB_STATE_NAMES, type LedgerEntry } from './job-ledger.ts'

const text = Type.Union([Type.String(), Type.Null()])

export const JobStateSchema = Type.Enum([...JOB_STATE_NAMES], {
  description: '`parked`: it failed too often, and waits for an administrator.',
})

export const JOB_MEMBERS = {
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

export const JobSchema = Type.Object(JOB_MEMBERS, { title: 'Job' })
export type JobSchema = Static<typeof JobSchema>

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
