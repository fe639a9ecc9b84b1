import { requireSiteAdmin } from '../accounts/auth-errors.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { findLedgerEntry } from '../platform/jobs/job-ledger.ts'
import { readRoute } from '../platform/http/route.ts'
import { representJob } from '../platform/jobs/represent-job.ts'
import { JobWithAttempts, jobParam, representAttempts } from './job.ts'

export const getJob = readRoute({
  method: 'GET',
  path: '/jobs/:id',
  operationId: 'getJob',
  summary: 'Show a background job and how its attempts went.',
  description:
    'Shows attempts and errors of one job, without its payload. Site administrators only. Unknown jobs are 404.',
  access: 'signed_in',
  params: { id: jobParam },
  answer: JobWithAttempts,
  async handle({ context, viewer, params }) {
    requireSiteAdmin(viewer)
    const entry = await findLedgerEntry(context.db, params.id)
    if (!entry) throw new ApiError('not_found')
    return { body: { ...representJob(entry), attempts_log: representAttempts(entry.attempts_log) } }
  },
})
