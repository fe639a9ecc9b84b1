import { isRecord } from '../../platform/wire/schema-shape.ts'
import { fieldsOfText, renamedInQuery } from '../reports/fields-in-query.ts'
import type { Element, Report } from '../tracker.ts'

// Members of a chart that contain field names.
const NAMING = new Set(['field', 'name', 'columns'])

/** Whether a report uses this field. */
export function asksFor({ expert_query, criteria, renderers }: Report, { id, name }: Element): boolean {
  return (
    criteria.some(({ field_id }) => field_id === id) ||
    renderers.some(({ columns, sort, column_widths = [], grouped_by, more }) => {
      const fields = [...columns, ...[...sort, ...column_widths].map(({ field_id }) => field_id), grouped_by?.field_id]
      return fields.includes(id) || namesIn(more).has(name)
    }) ||
    (expert_query !== null && fieldsOfText(expert_query).some((each) => each.name === name))
  )
}

/** The report with renamed fields. */
export function renamedIn<Some extends Pick<Report, 'expert_query' | 'renderers'>>(
  report: Some,
  rename: (name: string) => string,
): Some {
  const { expert_query, renderers } = report
  return {
    ...report,
    expert_query: expert_query && renamedInQuery(expert_query, rename),
    renderers: renderers.map((each) => ({ ...each, more: withNames(each.more, rename) })),
  }
}

function namesIn(more: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const names = new Set<string>()
  withNames(more, (name) => {
    names.add(name)
    return name
  })
  return names
}

function withNames(more: Readonly<Record<string, unknown>>, rename: (name: string) => string) {
  return Object.fromEntries(Object.entries(more).map(([key, each]) => [key, replaced(each, rename, NAMING.has(key))]))
}

function replaced(value: unknown, rename: (name: string) => string, isName: boolean): unknown {
  if (typeof value === 'string') return isName ? rename(value) : value
  if (Array.isArray(value)) return value.map((each) => replaced(each, rename, isName))
  return isRecord(value) ? withNames(value, rename) : value
}
