import { Type } from 'typebox'
import { idParam, readRoute } from '../../platform/http/route.ts'
import type { ReportId } from '../tracker.ts'
import { findReport } from './find-report.ts'
import { ReportFull, representReport, representWholeReport } from './represent-report.ts'

export const getReport = readRoute({
  method: 'GET',
  path: '/tracker_reports/:id',
  operationId: 'getReport',
  summary: 'Show a report.',
  description:
    'Shows criteria, query and renderers of a report. Everyone who may see the tracker; private reports only for their owner. Private reports of others are 404.',
  access: 'everyone',
  params: { id: idParam<ReportId>('The report.') },
  query: {
    representation: Type.Optional(
      Type.Enum(['minimal', 'full'], {
        description: '`full` includes the definition of the report; defaults to `minimal`.',
      }),
    ),
  },
  answer: ReportFull,
  async handle({ context, viewer, params, query }) {
    const found = await findReport(context, context.db, viewer, params.id)
    const { report, isPublic } = found
    return { body: query.representation === 'full' ? representWholeReport(found) : representReport(report, isPublic) }
  },
})
