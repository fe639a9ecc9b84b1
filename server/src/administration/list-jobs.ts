import { Type } from 'typebox'
import { requireSiteAdmin } from '../accounts/auth-errors.ts'
import { listLedgerEntries } from '../platform/jobs/job-ledger.ts'
import { JobSchema, JobStateSchema, representJob } from '../platform/jobs/represent-job.ts'
import { cutPage } from '../platform/http/pages.ts'
import { readRoute } from '../platform/http/route.ts'
import { rangeParameters, readTimeRange } from '../platform/wire/time-range.ts'

export const listJobs = readRoute({
  method: 'GET',
  path: '/jobs',
  operationId: 'listJobs',
  summary: 'List background jobs, newest first.',
  description: 'Shows waiting, running and parked jobs. Site administrators only. Others get 403.',
  access: 'signed_in',
  query: {
    state: Type.Optional(JobStateSchema),
    type: Type.Optional(Type.String({ maxLength: 100, description: 'Only jobs of this type.' })),
    ...rangeParameters,
  },
  pages: { default: 50, min: 1, max: 1000 },
  answer: Type.Array(JobSchema),
  async handle({ context, viewer, query: { state, type, ...range }, page }) {
    requireSiteAdmin(viewer)
    const filter = { state, type, ...readTimeRange(context, viewer, range) }
    const found = await listLedgerEntries(context.db, filter, page)
    const { rows, next } = cutPage(found.rows, page.limit, ({ id }) => [id])
    return { body: rows.map(representJob), size: found.size, next }
  },
})
