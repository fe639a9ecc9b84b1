import { requireSiteAdmin } from '../accounts/auth-errors.ts'
import { retryLedgerEntry } from '../platform/jobs/job-ledger.ts'
import { writeRoute } from '../platform/http/route.ts'
import { JobSchema, jobUri, representJob } from '../platform/jobs/represent-job.ts'
import { jobParam } from './job.ts'
import { notParkedError } from './parked-job.ts'

export const retryJob = writeRoute({
  method: 'POST',
  path: '/jobs/:id/retry',
  operationId: 'retryJob',
  summary: 'Give a parked job all its attempts again.',
  description:
    'Runs a parked job again, for example after its cause was fixed. Site administrators only. Jobs that are not parked are refused.',
  access: 'signed_in',
  action: 'job.retry',
  sensitive: true,
  params: { id: jobParam },
  answer: JobSchema,
  status: 202,
  async handle({ context, viewer, params: { id } }, work) {
    requireSiteAdmin(viewer)
    const entry = await retryLedgerEntry(work.tx, id, context.clock.now())
    if (!entry) throw await notParkedError(work.tx, id)
    await work.change({ object: jobUri(id), op: 'update', before: { state: 'parked' }, after: { state: entry.state } })
    return { body: representJob(entry) }
  },
})
