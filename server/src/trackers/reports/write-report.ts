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

/** Charts have the member `columns` only if it is not empty. */
function writeRenderer({ type, label, columns, page_size, sort, more }: Renderer, nameOf: (field: FieldId) => string) {
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
  }
}
