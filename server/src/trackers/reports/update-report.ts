import { hiddenError, requireAccount } from '../../accounts/auth-errors.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { changeTracker } from '../change-tracker.ts'
import { ReportDefinition } from '../definition/schemas.ts'
import { findTrackerToChange } from '../find-part.ts'
import { requireTrackerAdmin } from '../find-tracker.ts'
import type { ReportId } from '../tracker.ts'
import { acceptReport, requireReportLimit } from './accept-report.ts'
import { findReportToChange, type FoundReport } from './find-report.ts'
import { deletePrivateReport, findPrivateReports, insertPrivateReport, updatePrivateReport } from './private-reports.ts'
import { ReportFull, representWholeReport } from './represent-report.ts'
import { withoutReport, withReport } from './with-report.ts'

export const updateReport = writeRoute({
  method: 'PUT',
  path: '/tracker_reports/:id',
  operationId: 'updateReport',
  summary: 'Replace a report. It can be made public or private, and keeps its id.',
  description:
    'Replaces criteria and renderers of a report. Its owner; public reports by tracker administrators. Others get 403, or 404 for private reports.',
  access: 'signed_in',
  action: 'tracker.report',
  notifies: true,
  params: { id: idParam<ReportId>('The report.') },
  body: ReportDefinition,
  answer: ReportFull,
  async handle({ context, viewer, params, body }, work) {
    const owner = requireAccount(viewer)
    const { tx } = work
    const before = await findReportToChange(context, tx, viewer, params.id)
    if (work.origin.isSilent) requireTrackerAdmin(before.access)
    const isPublic = body.public ?? before.isPublic
    const isNewHere = isPublic !== before.isPublic
    const find =
      isPublic && isNewHere ? findTrackerToChange(context, tx, viewer, before.access.tracker.id) : before.access
    const access = await find
    const { tracker } = access
    const { reports } = tracker
    if (isNewHere) requireReportLimit(isPublic ? reports : await findPrivateReports(tx, tracker.id, owner))

    const report = await acceptReport(tx, access, body, { isPublic, known: before.report })
    const after = { access: access, report, isPublic }
    if (before.isPublic && !isPublic) await insertPrivateReport(tx, tracker, owner, report)
    if (!before.isPublic) {
      const isThere = await (isPublic ? deletePrivateReport(tx, report) : updatePrivateReport(tx, report))
      if (!isThere) throw hiddenError(viewer)
      await tellPrivate(work, before, after)
    }
    if (before.isPublic || isPublic) {
      const changed = isPublic ? withReport(reports, report) : withoutReport(reports, report)
      await changeTracker(work, tracker, { reports: changed }, { now: context.clock.now() })
    }
    return { body: representWholeReport(after) }
  },
})

/** Changes of a private report are visible to its owner only. */
async function tellPrivate(work: WriteContext, before: FoundReport, after: FoundReport): Promise<void> {
  await work.change({
    object: `tracker_reports/${before.report.id}`,
    op: 'update',
    project_id: before.access.tracker.project_id,
    before: representWholeReport(before).definition ?? null,
    after: representWholeReport(after).definition ?? null,
    action: null,
  })
}
