import { hiddenError } from '../../accounts/auth-errors.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { changeTracker } from '../change-tracker.ts'
import { requireTrackerAdmin } from '../find-tracker.ts'
import type { ReportId } from '../tracker.ts'
import { findReportToChange } from './find-report.ts'
import { deletePrivateReport } from './private-reports.ts'
import { representWholeReport } from './represent-report.ts'
import { withoutReport } from './with-report.ts'

export const deleteReport = writeRoute({
  method: 'DELETE',
  path: '/tracker_reports/:id',
  operationId: 'deleteReport',
  summary: 'Remove a report.',
  description:
    'Removes a report; artifacts are not touched. Its owner; public reports by tracker administrators. Others get 403, or 404 for private reports.',
  access: 'signed_in',
  action: 'tracker.report',
  notifies: true,
  params: { id: idParam<ReportId>('The report.') },
  async handle({ context, viewer, params }, work) {
    const found = await findReportToChange(context, work.tx, viewer, params.id)
    if (work.origin.isSilent) requireTrackerAdmin(found.access)
    const { tracker } = found.access
    if (found.isPublic) {
      const reports = withoutReport(tracker.reports, found.report)
      await changeTracker(work, tracker, { reports }, { now: context.clock.now() })
      return {}
    }
    if (!(await deletePrivateReport(work.tx, found.report))) throw hiddenError(viewer)
    await work.change({
      object: `tracker_reports/${found.report.id}`,
      op: 'delete',
      project_id: tracker.project_id,
      before: representWholeReport(found).definition ?? null,
      action: null,
    })
    return {}
  },
})
