import { type Static, Type } from 'typebox'
import { nullable } from '../../platform/wire/nullable.ts'
import { TrackerReference } from '../schemas.ts'

const MAX_WIDGETS = 24
const MAX_TITLE_CHARACTERS = 255
const MAX_TEXT_CHARACTERS = 10_000
const MAX_KEY_CHARACTERS = 255

const WidgetType = Type.Enum(['chart', 'count', 'report', 'note'], {
  description:
    'A chart of a report, the number of its artifacts, its first rows, or a text. All but `note` need `report_id`.',
})
const Span = Type.Enum(['month', 'quarter', 'year'], {
  description: 'A chart of the counts over this time; absent: of the current counts.',
})

export const DashboardInput = Type.Object(
  {
    widgets: Type.Array(
      Type.Object(
        {
          type: WidgetType,
          title: Type.Optional(
            Type.String({
              trim: true,
              maxLength: MAX_TITLE_CHARACTERS,
              description: 'Absent: the label of the report.',
            }),
          ),
          report_id: Type.Optional(Type.Integer({ minimum: 1, description: 'The report that it shows.' })),
          by: Type.Optional(
            Type.String({
              trim: true,
              minLength: 1,
              maxLength: MAX_KEY_CHARACTERS,
              description:
                'The field that a chart counts by, as `by` of `GET /trackers/{id}/artifacts/groups`; default `@status`.',
            }),
          ),
          span: Type.Optional(Span),
          text: Type.Optional(
            Type.String({ maxLength: MAX_TEXT_CHARACTERS, pattern: '\\S', description: 'Markdown, of a note.' }),
          ),
        },
        { title: 'WidgetInput' },
      ),
      { maxItems: MAX_WIDGETS, description: 'In their order on the page.' },
    ),
  },
  { title: 'DashboardInput' },
)
export type DashboardInput = Static<typeof DashboardInput>

const ReportOfWidget = Type.Object(
  { id: Type.Integer(), uri: Type.String(), label: Type.String(), tracker: TrackerReference },
  { title: 'ReportOfWidget' },
)

const WidgetRepresentation = Type.Object(
  {
    type: WidgetType,
    title: nullable(Type.String()),
    report_id: nullable(Type.Integer()),
    report: nullable(ReportOfWidget, 'Null for a note, and if the report is deleted or the caller may not see it.'),
    by: nullable(Type.String()),
    span: nullable(Span),
    text: nullable(Type.String()),
    html: nullable(Type.String(), 'The text as safe HTML; in a project, references are links.'),
  },
  { title: 'Widget' },
)

export const DashboardRepresentation = Type.Object(
  { widgets: Type.Array(WidgetRepresentation) },
  { title: 'Dashboard' },
)
export type DashboardRepresentation = Static<typeof DashboardRepresentation>

/** A widget as it is stored. */
export type Widget = Omit<Static<typeof WidgetRepresentation>, 'report' | 'html'>
