import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { findLedgerEntry } from '../platform/jobs/job-ledger.ts'
import type { JobId } from './job.ts'

/** The error for a job that is not parked: absent, or in another state. */
export async function notParkedError(tx: Tx, id: JobId): Promise<ApiError> {
  return new ApiError((await findLedgerEntry(tx, id)) ? 'job_not_parked' : 'not_found')
}
