import type { ReportDocument } from '../definition/schemas.ts'
import type { FieldId, Renderer, Report } from '../tracker.ts'

/** The document of a report. `nameOf` returns the name of a field. */
export function writeReport(
  { label, description, is_default, expert_query, criteria, renderers }: Omit<Report, 'id'>,
  isPublic: boolean,
  nameOf: (field: FieldId) => string,
): Required<ReportDocument> {
  return {
    label,
    description,
    public: isPublic,
    default: is_default,
    expert_query,
    criteria: criteria.map(({ field_id, operator, value }) => ({
      field: nameOf(field_id),
      ...(operator !== null && { operator }),
      ...(value !== null && { value }),
    })),
    renderers: renderers.map((renderer) => writeRenderer(renderer, nameOf)),
  }
}

/** Charts have the members of tables only if they are not empty. */
function writeRenderer(renderer: Renderer, nameOf: (field: FieldId) => string) {
  const { type, label, columns, page_size, sort, column_widths = [], grouped_by, more } = renderer
  const isTable = type === 'table'
  return {
    ...more,
    type,
    label,
    ...((isTable || columns.length > 0) && { columns: columns.map(nameOf) }),
    ...(page_size !== null && { page_size }),
    ...((isTable || sort.length > 0) && {
      sort: sort.map(({ field_id, direction }) => ({ field: nameOf(field_id), direction })),
    }),
    ...(column_widths.length > 0 && {
      column_widths: column_widths.map(({ field_id, width }) => ({ field: nameOf(field_id), width })),
    }),
    ...(grouped_by && {
      grouped_by: { field: nameOf(grouped_by.field_id), ...(grouped_by.bucket && { bucket: grouped_by.bucket }) },
    }),
  }
}
