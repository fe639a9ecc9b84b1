import type { Answer } from '@waypost/sdk/answer'
import type { ReportDefinition, TrackerReportFull } from '@waypost/sdk/api'
import { api } from '../api.ts'
import { showToast } from '../design/toasts.ts'
import { invalidateReports } from './reports-query.ts'
import { text } from './messages.ts'
import { showRefusal } from '../shell/show-refusal.ts'

export async function addReport(tracker: number, body: ReportDefinition): Promise<Answer<TrackerReportFull>> {
  const answer = await api.call('POST /trackers/{id}/tracker_reports', { path: { id: tracker }, body })
  await invalidateReports(tracker)
  if (answer.ok) showToast(text('reports.saved', { label: body.label }))
  return answer
}

export async function changeReport(
  tracker: number,
  id: number,
  before: ReportDefinition,
  after: ReportDefinition,
): Promise<Answer<TrackerReportFull>> {
  const answer = await api.call('PUT /tracker_reports/{id}', { path: { id }, body: after })
  await invalidateReports(tracker)
  if (answer.ok)
    showToast(text('reports.saved', { label: after.label }), {
      undo: () => showIfRefused(changeReport(tracker, id, after, before)),
    })
  return answer
}

/** Undo creates the report again, under a new id. */
export async function removeReport(tracker: number, id: number, before: ReportDefinition): Promise<Answer<undefined>> {
  const answer = await api.call('DELETE /tracker_reports/{id}', { path: { id } })
  await invalidateReports(tracker)
  if (answer.ok)
    showToast(text('reports.deleted', { label: before.label }), {
      undo: () => showIfRefused(addReport(tracker, before)),
    })
  return answer
}

/** Shows a refusal as a toast, for actions without a dialog. */
export function showIfRefused(asked: Promise<Answer<unknown>>): void {
  void asked.then((answer) => answer.ok || showRefusal(answer))
}
