import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { renderText } from '../../platform/rich-text/render-text.ts'
import { findOwnKeywords } from '../../projects/references/own-keywords.ts'
import { linkProjectReferences } from '../../projects/references/link-references.ts'
import { findVisibleReports } from '../reports/find-visible-reports.ts'
import type { FoundReport } from '../reports/find-report.ts'
import { referenceOf } from '../represent-tracker.ts'
import type { DashboardRepresentation } from './dashboard.ts'
import type { StoredDashboard } from './store-dashboard.ts'

/** The dashboard for one viewer: reports that they may not see are null, as deleted ones. */
export async function representDashboard(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  { owner, widgets }: StoredDashboard,
): Promise<DashboardRepresentation> {
  const reports = await findVisibleReports(
    context,
    db,
    viewer,
    widgets.flatMap(({ report_id }) => report_id ?? []),
  )
  const project = 'project_id' in owner ? owner.project_id : undefined
  const hasReferences = widgets.some(({ text }) => text?.includes('#'))
  const names =
    project !== undefined && hasReferences ? await findOwnKeywords(context, db, viewer, project) : new Set<string>()
  const toHtml = (markdown: string) => {
    const html = renderText('commonmark', markdown)
    return project === undefined
      ? html
      : linkProjectReferences(context.referenceKinds, { id: project }, html, { itemNames: names })
  }
  return {
    widgets: widgets.map((widget) => ({
      ...widget,
      report: representReportOfWidget(reports.get(widget.report_id ?? 0)),
      html: widget.text === null ? null : toHtml(widget.text),
    })),
  }
}

function representReportOfWidget(found: FoundReport | undefined) {
  if (!found) return null
  const { id, label } = found.report
  return { id, uri: `tracker_reports/${id}`, label, tracker: referenceOf(found.access.tracker) }
}
