import { hiddenError } from '../../accounts/auth-errors.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { findTrackerToChange } from '../find-part.ts'
import { findTracker, type TrackerServices } from '../find-tracker.ts'
import { requireActiveProject } from '../load-tracker.ts'
import type { TrackerAccess } from '../tracker-access.ts'
import type { Report, ReportId } from '../tracker.ts'

export interface FoundReport {
  readonly access: TrackerAccess
  readonly report: Report
  /** Otherwise it is the viewer's own. */
  readonly isPublic: boolean
}

/** A report that the viewer may see: public or their own, in a tracker that they may see. */
export async function findReport(
  context: TrackerServices,
  db: Db | Tx,
  viewer: Viewer,
  id: ReportId,
): Promise<FoundReport> {
  const part = await db
    .selectFrom('tracker_part')
    .leftJoin('tracker_report', 'tracker_report.id', 'tracker_part.id')
    .select(['tracker_part.tracker_id', 'tracker_report.owner_id', 'tracker_report.report'])
    .where('tracker_part.id', '=', id)
    .where('tracker_part.kind', '=', 'report')
    .executeTakeFirst()
  // Private reports of others are hidden, even from administrators of the tracker.
  if (!part || (part.owner_id !== null && part.owner_id !== viewer.account_id)) throw hiddenError(viewer)
  const access = await findTracker(context, db, viewer, part.tracker_id)
  if (part.report) return { access, report: { ...part.report, id }, isPublic: false }
  return { access, report: publicReport(access, id), isPublic: true }
}

/** The report, for a change by its owner or, if it is public, by an administrator of the tracker. */
export async function findReportToChange(
  context: TrackerServices,
  tx: Tx,
  viewer: Viewer,
  id: ReportId,
): Promise<FoundReport> {
  const found = await findReport(context, tx, viewer, id)
  if (!found.isPublic) {
    requireActiveProject(found.access.tracker)
    return found
  }
  const access = await findTrackerToChange(context, tx, viewer, found.access.tracker.id)
  return { access, report: publicReport(access, id), isPublic: true }
}

function publicReport({ tracker, viewer }: TrackerAccess, id: ReportId): Report {
  const report = tracker.reports.find((each) => each.id === id)
  if (!report) throw hiddenError(viewer)
  return report
}
