import type { Answer } from '@waypost/sdk/answer'
import type { ReportDefinition, TrackerReportFull } from '@waypost/sdk/api'
import { api } from '../api.ts'
import { tell } from '../shell/toasts.ts'
import { lookAgainAtReports } from './reports-query.ts'
import { text } from './words.ts'
import { tellRefusal } from '../shell/tell-refusal.ts'

export async function addReport(tracker: number, body: ReportDefinition): Promise<Answer<TrackerReportFull>> {
  const answer = await api.call('POST /trackers/{id}/tracker_reports', { path: { id: tracker }, body })
  await lookAgainAtReports(tracker)
  if (answer.ok) tell(text('reports.saved', { label: body.label }))
  return answer
}

export async function changeReport(
  tracker: number,
  id: number,
  before: ReportDefinition,
  after: ReportDefinition,
): Promise<Answer<TrackerReportFull>> {
  const answer = await api.call('PUT /tracker_reports/{id}', { path: { id }, body: after })
  await lookAgainAtReports(tracker)
  if (answer.ok)
    tell(text('reports.saved', { label: after.label }), {
      undo: () => orTell(changeReport(tracker, id, after, before)),
    })
  return answer
}

/** What is taken back is made again: it has another address then. */
export async function removeReport(tracker: number, id: number, before: ReportDefinition): Promise<Answer<undefined>> {
  const answer = await api.call('DELETE /tracker_reports/{id}', { path: { id } })
  await lookAgainAtReports(tracker)
  if (answer.ok)
    tell(text('reports.deleted', { label: before.label }), { undo: () => orTell(addReport(tracker, before)) })
  return answer
}

/** For what is done without a dialog that could say it. */
export function orTell(asked: Promise<Answer<unknown>>): void {
  void asked.then((answer) => answer.ok || tellRefusal(answer))
}
