import { Type } from 'typebox'
import { cutPage } from '../../platform/http/pages.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { findTracker } from '../find-tracker.ts'
import type { TrackerId } from '../tracker.ts'
import { findPrivateReports } from './private-reports.ts'
import { ReportRepresentation, representReport } from './represent-report.ts'

export const listReports = readRoute({
  method: 'GET',
  path: '/trackers/:id/tracker_reports',
  operationId: 'listReports',
  summary: "List the reports of a tracker: public ones, then the caller's own.",
  description:
    'Lists saved searches with criteria and renderers. Everyone who may see the tracker; private reports only for their owner. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<TrackerId>('The tracker.') },
  pages: { default: 10, min: 0, max: 1000 },
  answer: Type.Array(ReportRepresentation),
  async handle({ context, viewer, params, page }) {
    const { tracker } = await findTracker(context, context.db, viewer, params.id)
    const own =
      viewer.account_id === undefined ? [] : await findPrivateReports(context.db, tracker.id, viewer.account_id)
    const reports = [
      ...tracker.reports.map((report) => representReport(report, true)),
      ...own.map((report) => representReport(report, false)),
    ]
    const { after, offset, limit } = page
    // If the last report of the previous page was deleted, continue at its index.
    const [last, place] = after ?? []
    const found = reports.findIndex(({ id }) => id === last)
    const from = after ? (found < 0 ? Number(place) : found + 1) : offset
    const placed = reports.map((report, at) => ({ report, at }))
    const { rows, next, placeAt } = cutPage(placed.slice(from), limit, ({ report, at }) => [report.id, at])
    return { body: rows.map(({ report }) => report), size: reports.length, next, placeAt }
  },
})
