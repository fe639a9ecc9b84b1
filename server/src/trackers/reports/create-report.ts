import { requireAccount } from '../../accounts/auth-errors.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { changeTracker } from '../change-tracker.ts'
import { ReportDefinition } from '../definition/schemas.ts'
import { findTrackerToChange } from '../find-part.ts'
import { findTracker, requireTrackerAdmin } from '../find-tracker.ts'
import { requireActiveProject } from '../load-tracker.ts'
import type { TrackerId } from '../tracker.ts'
import { acceptReport, requireReportLimit } from './accept-report.ts'
import { findPrivateReports, insertPrivateReport } from './private-reports.ts'
import { ReportFull, representWholeReport } from './represent-report.ts'
import { withReport } from './with-report.ts'

export const createReport = writeRoute({
  method: 'POST',
  path: '/trackers/:id/tracker_reports',
  operationId: 'createReport',
  summary: 'Save a search as a report: private, or public for everyone who may see the tracker.',
  description:
    'Saves criteria or a query, with tables and charts. Signed-in people who may see the tracker; public reports by tracker administrators. Unknown and unreadable fields are refused alike.',
  access: 'signed_in',
  action: 'tracker.report',
  notifies: true,
  params: { id: idParam<TrackerId>('The tracker.') },
  body: ReportDefinition,
  answer: ReportFull,
  status: 201,
  dryRun: { omits: ['id', 'uri', 'resources', 'renderers'] },
  async handle({ context, viewer, params, body }, work) {
    const owner = requireAccount(viewer)
    const isPublic = body.public ?? false
    const find = isPublic ? findTrackerToChange : findTracker
    const access = await find(context, work.tx, viewer, params.id)
    if (work.origin.isSilent) requireTrackerAdmin(access)
    const { tracker } = access
    requireActiveProject(tracker)
    requireReportLimit(isPublic ? tracker.reports : await findPrivateReports(work.tx, tracker.id, owner))

    const report = await acceptReport(work.tx, access, body, { isPublic })
    const shown = representWholeReport({ access, report, isPublic })
    if (isPublic) {
      await changeTracker(work, tracker, { reports: withReport(tracker.reports, report) }, { now: context.clock.now() })
    } else {
      await insertPrivateReport(work.tx, tracker, owner, report)
      await work.change({
        object: 'tracker_reports',
        op: 'create',
        project_id: tracker.project_id,
        after: shown.definition ?? null,
        action: null,
      })
    }
    return { body: shown, location: `tracker_reports/${report.id}` }
  },
})
