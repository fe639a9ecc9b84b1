import { cleanAccounts } from './accounts/clean-accounts.ts'
import { exportJob } from './accounts/exports/export-job.ts'
import { MAILS } from './mails.ts'
import { cleanPlatform, cleanUpJob } from './platform/jobs/clean-up.ts'
import type { Job } from './platform/jobs/job.ts'
import { mailJob } from './platform/jobs/mail-job.ts'
import type { Recurring } from './platform/jobs/worker.ts'

/** Every background job. */
export const JOBS: readonly Job[] = [mailJob(MAILS), exportJob, cleanUpJob([cleanPlatform, cleanAccounts])]

/** Those that run by the clock. */
export const RECURRING: readonly Recurring[] = [{ type: 'clean_up', at: '17 * * * *' }]
