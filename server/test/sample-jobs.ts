import { sql } from 'kysely'
import type { JobState } from '../src/platform/jobs/jobs.ts'
import type { Db } from '../src/platform/database/db.ts'

interface SampleJob {
  type?: string
  state?: JobState
  created_on?: string
  attempts?: number
}

/** An entry of the ledger as a worker might have left it; returns its id as the API writes it. */
export async function leaveJob(db: Db, given: SampleJob = {}): Promise<string> {
  const { type = 'mail', state = 'parked', created_on = '2026-03-01T09:30:00Z', attempts = 8 } = given
  const log = [{ on: '2026-03-01T09:31:00.000Z', duration_ms: 12, error: 'store not reachable' }]
  const { rows } = await sql<{ id: number }>`
    insert into job (type, state, payload, object, request_id, attempts, created_on, last_error, attempts_log)
    values (${type}, ${state}, '{"words":"not for administrators"}', 'artifacts/2041', '01hq3v7k2m', ${attempts},
      ${created_on}, 'store not reachable', ${JSON.stringify(log)}::jsonb)
    returning id`.execute(db)
  return (rows[0]?.id ?? 0).toString(16)
}
