import { requireSiteAdmin } from '../accounts/auth-errors.ts'
import { removeLedgerEntry } from '../platform/jobs/job-ledger.ts'
import { writeRoute } from '../platform/http/route.ts'
import { jobUri } from '../platform/jobs/represent-job.ts'
import { jobParam } from './job.ts'
import { notParkedError } from './parked-job.ts'

export const giveUpJob = writeRoute({
  method: 'DELETE',
  path: '/jobs/:id',
  operationId: 'giveUpJob',
  summary: 'Give a parked job up: it is never run again.',
  description:
    'Removes a parked job that will not be run. Site administrators only. Jobs that are not parked are refused.',
  access: 'signed_in',
  action: 'job.give_up',
  sensitive: true,
  params: { id: jobParam },
  async handle({ viewer, params: { id } }, work) {
    requireSiteAdmin(viewer)
    const entry = await removeLedgerEntry(work.tx, id)
    if (!entry) throw await notParkedError(work.tx, id)
    const { type, state, object, last_error } = entry
    await work.change({ object: jobUri(id), op: 'delete', before: { type, state, object, last_error } })
    return {}
  },
})
