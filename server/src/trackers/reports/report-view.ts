import { type Static, Type } from 'typebox'
import { nullable } from '../../platform/wire/nullable.ts'
import { MAX_ORDER_KEYS, parseQuery } from '../search/tql/parse-query.ts'
import type { Expression, Query } from '../search/tql/syntax.ts'
import { SyntaxFault } from '../search/tql/syntax-fault.ts'
import { BUCKETS, type FieldId, type Renderer, type Report } from '../tracker.ts'
import { fieldsIn } from './fields-in-query.ts'
import type { FoundReport } from './find-report.ts'

export const ReportView = Type.Object(
  {
    query: nullable(
      Type.String(),
      'Filter and order. Null if the report has criteria, or its query uses links or fields that the caller may not read: then only its rows are available.',
    ),
    columns: Type.Array(Type.String(), {
      description: 'Names of fields. Those that the caller may not read are left out.',
    }),
    column_widths: Type.Array(Type.Object({ field: Type.String(), width: Type.Integer() }), {
      description: 'In pixels. Other columns have their usual width.',
    }),
    grouped_by: nullable(
      Type.Object({ field: Type.String(), bucket: Type.Optional(Type.Enum([...BUCKETS])) }),
      'Null: without groups.',
    ),
  },
  { title: 'ReportView', description: 'The table of the report; with `representation=full`.' },
)
type ReportView = Static<typeof ReportView>

/** The table of a report, without fields that the viewer may not read. Administrators see the names of all fields. */
export function viewReport({ access, report }: FoundReport): ReportView {
  const { tracker, administers, readable } = access
  const names = new Map((administers ? tracker.elements : readable).map(({ id, name }) => [id, name]))
  const { columns = [], sort = [], column_widths = [], grouped_by } = report.renderers.find(isTable) ?? {}
  const group = grouped_by && names.get(grouped_by.field_id)
  return {
    query: readableQuery(report, sort, names),
    columns: columns.flatMap((id) => names.get(id) ?? []),
    column_widths: column_widths.flatMap(({ field_id, width }) => {
      const field = names.get(field_id)
      return field === undefined ? [] : [{ field, width }]
    }),
    grouped_by: group ? { field: group, ...(grouped_by?.bucket && { bucket: grouped_by.bucket }) } : null,
  }
}

const isTable = ({ type }: Renderer) => type === 'table'

/** The query with the order of the table. */
function readableQuery(
  { expert_query, criteria }: Report,
  sort: Renderer['sort'],
  names: ReadonlyMap<FieldId, string>,
): string | null {
  if (expert_query === null && criteria.some(({ value }) => value !== null)) return null
  const text = expert_query ?? ''
  const query = parseStored(text)
  if (!query || (query.where && hasLinks(query.where))) return null
  const known = new Set(names.values())
  if (!fieldsIn(query).every(({ name }) => known.has(name))) return null
  if (query.orderBy.length > 0) return text
  const keys = sort.flatMap(({ field_id, direction }) => {
    const name = names.get(field_id)
    return name === undefined ? [] : [direction === 'desc' ? `${name} DESC` : name]
  })
  if (keys.length > MAX_ORDER_KEYS) return null
  return keys.length === 0 ? text : `${text} ORDER BY ${keys.join(', ')}`.trim()
}

/** Undefined: a report of an earlier version, with a query that cannot be parsed. */
function parseStored(text: string): Query | undefined {
  try {
    return parseQuery(text)
  } catch (fault) {
    if (fault instanceof SyntaxFault) return undefined
    throw fault
  }
}

/** Fields behind a link belong to other trackers, which the viewer may not see. */
function hasLinks(expression: Expression): boolean {
  if (expression.kind === 'comparison') return false
  if (expression.kind === 'link') return true
  return expression.kind === 'not' ? hasLinks(expression.of) : expression.of.some(hasLinks)
}
