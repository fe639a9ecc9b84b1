import { hiddenFrom } from '../../accounts/refusals.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { findTrackerToChange } from '../find-part.ts'
import { findTracker, requireActiveProject } from '../find-tracker.ts'
import type { Sight } from '../sight.ts'
import type { Report, ReportId } from '../tracker.ts'

type Trackers = Pick<Context, 'trackers'>

export interface FoundReport {
  readonly sight: Sight
  readonly report: Report
  /** Else it is the viewer's own. */
  readonly isPublic: boolean
}

/** A report that the viewer may see: of a tracker that he may see, and public or his own. */
export async function findReport(context: Trackers, db: Db | Tx, viewer: Viewer, id: ReportId): Promise<FoundReport> {
  const part = await db
    .selectFrom('tracker_part')
    .leftJoin('tracker_report', 'tracker_report.id', 'tracker_part.id')
    .select(['tracker_part.tracker_id', 'tracker_report.owner_id', 'tracker_report.report'])
    .where('tracker_part.id', '=', id)
    .where('tracker_part.kind', '=', 'report')
    .executeTakeFirst()
  // That of somebody else is not there, whatever may be said of its tracker.
  if (!part || (part.owner_id !== null && part.owner_id !== viewer.account_id)) throw hiddenFrom(viewer)
  const sight = await findTracker(context, db, viewer, part.tracker_id)
  if (part.report) return { sight, report: { ...part.report, id }, isPublic: false }
  return { sight, report: publicReport(sight, id), isPublic: true }
}

/** The same for a change by whoever may change it: its owner, or an administrator of the tracker. */
export async function findReportToChange(
  context: Trackers,
  tx: Tx,
  viewer: Viewer,
  id: ReportId,
): Promise<FoundReport> {
  const found = await findReport(context, tx, viewer, id)
  if (!found.isPublic) {
    requireActiveProject(found.sight.tracker)
    return found
  }
  const sight = await findTrackerToChange(context, tx, viewer, found.sight.tracker.id)
  return { sight, report: publicReport(sight, id), isPublic: true }
}

function publicReport({ tracker, viewer }: Sight, id: ReportId): Report {
  const report = tracker.reports.find((each) => each.id === id)
  if (!report) throw hiddenFrom(viewer)
  return report
}
