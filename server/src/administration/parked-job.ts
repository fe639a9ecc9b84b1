import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/words/errors.ts'
import { findLedgerEntry } from '../platform/jobs/job-ledger.ts'
import type { JobId } from './job.ts'

/** Why a job is not one that is parked: there is none, or it is in another state. */
export async function notParked(tx: Tx, id: JobId): Promise<ApiError> {
  return new ApiError((await findLedgerEntry(tx, id)) ? 'job_not_parked' : 'not_found')
}
