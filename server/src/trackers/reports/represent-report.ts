import { type Static, Type } from 'typebox'
import { nullable } from '../../platform/wire/nullable.ts'
import { ReportDefinition } from '../definition/schemas.ts'
import { renamedIn } from '../form/names-in-reports.ts'
import type { Report } from '../tracker.ts'
import type { FoundReport } from './find-report.ts'
import { ReportView, viewReport } from './report-view.ts'
import { writeReport } from './write-report.ts'

export const ReportRepresentation = Type.Object(
  {
    id: Type.Integer(),
    uri: Type.String(),
    label: Type.String(),
    is_public: Type.Boolean(),
    is_default: Type.Boolean(),
    resources: Type.Array(Type.Object({ type: Type.String(), uri: Type.String() })),
  },
  { title: 'TrackerReport' },
)
export type ReportRepresentation = Static<typeof ReportRepresentation>

export const ReportFull = Type.Object(
  {
    ...ReportRepresentation.properties,
    renderers: Type.Optional(
      Type.Array(Type.Object({ id: Type.Integer(), type: Type.String(), label: Type.String() }), {
        description: 'With `representation=full`.',
      }),
    ),
    view: Type.Optional(ReportView),
    definition: Type.Optional(
      nullable(ReportDefinition, 'With `representation=full`, if the caller may change the report; otherwise null.'),
    ),
  },
  { title: 'TrackerReportFull' },
)
export type ReportFull = Static<typeof ReportFull>

export function representReport({ id, label, is_default }: Report, is_public: boolean): ReportRepresentation {
  return {
    id,
    uri: `tracker_reports/${id}`,
    label,
    is_public,
    is_default,
    resources: [{ type: 'artifacts', uri: `tracker_reports/${id}/artifacts` }],
  }
}

/** Includes the definition and the view of the report. Administrators see the names of all fields, others of those they may read. */
export function representWholeReport(found: FoundReport): ReportFull {
  const { access, report, isPublic } = found
  const { tracker, administers, readable } = access
  const fields = new Map((administers ? tracker.elements : readable).map(({ id, name }) => [id, name]))
  const hidden = new Map(
    tracker.elements.flatMap(({ id, name }) => (fields.has(id) ? [] : [[name, `@${id}`] as const])),
  )
  const shown = renamedIn(report, (name) => hidden.get(name) ?? name)
  return {
    ...representReport(report, isPublic),
    renderers: report.renderers.map(({ id, type, label }) => ({ id, type, label })),
    view: viewReport(found),
    definition:
      isPublic && !administers ? null : writeReport(shown, isPublic, (field) => fields.get(field) ?? `@${field}`),
  }
}
