import { hiddenFrom, requireAccount } from '../../accounts/refusals.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { Work } from '../../platform/http/work.ts'
import { changeTracker } from '../change-tracker.ts'
import { ReportDefinition } from '../definition/schemas.ts'
import { findTrackerToChange } from '../find-part.ts'
import type { ReportId } from '../tracker.ts'
import { acceptReport, requireRoom } from './accept-report.ts'
import { findReportToChange, type FoundReport } from './find-report.ts'
import { deletePrivateReport, findPrivateReports, insertPrivateReport, updatePrivateReport } from './private-reports.ts'
import { ReportFull, representWholeReport } from './represent-report.ts'
import { withoutReport, withReport } from './with-report.ts'

export const updateReport = writeRoute({
  method: 'PUT',
  path: '/tracker_reports/:id',
  operationId: 'updateReport',
  summary: 'Replace a report. Public ones can be made private, and the other way round; it keeps its id.',
  access: 'signed_in',
  action: 'tracker.report',
  params: { id: idParam<ReportId>('The report.') },
  body: ReportDefinition,
  answer: ReportFull,
  async handle({ context, viewer, params, body }, work) {
    const owner = requireAccount(viewer)
    const { tx } = work
    const before = await findReportToChange(context, tx, viewer, params.id)
    const isPublic = body.public ?? before.isPublic
    const isNewHere = isPublic !== before.isPublic
    const find =
      isPublic && isNewHere ? findTrackerToChange(context, tx, viewer, before.sight.tracker.id) : before.sight
    const sight = await find
    const { tracker } = sight
    const { reports } = tracker
    if (isNewHere) requireRoom(isPublic ? reports : await findPrivateReports(tx, tracker.id, owner))

    const report = await acceptReport(tx, sight, body, { isPublic, known: before.report })
    const after = { sight, report, isPublic }
    if (before.isPublic && !isPublic) await insertPrivateReport(tx, tracker, owner, report)
    if (!before.isPublic) {
      const isThere = await (isPublic ? deletePrivateReport(tx, report) : updatePrivateReport(tx, report))
      if (!isThere) throw hiddenFrom(viewer)
      await tellPrivate(work, before, after)
    }
    if (before.isPublic || isPublic) {
      const changed = isPublic ? withReport(reports, report) : withoutReport(reports, report)
      await changeTracker(work, tracker, { reports: changed }, { now: context.clock.now() })
    }
    return { body: representWholeReport(after) }
  },
})

/** What a private report was, and is, only its owner is told. */
async function tellPrivate(work: Work, before: FoundReport, after: FoundReport): Promise<void> {
  await work.change({
    object: `tracker_reports/${before.report.id}`,
    op: 'update',
    project_id: before.sight.tracker.project_id,
    before: representWholeReport(before).definition ?? null,
    after: representWholeReport(after).definition ?? null,
    action: null,
  })
}
