import { queryOptions } from '@tanstack/react-query'
import type { ReportDefinition, TrackerReportFull } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { type ColumnWidths, writeWidths } from './column-widths.ts'
import type { GroupChoice } from './grouping/group-choice.ts'

const MAX_REPORTS = 1_000

export const reportsQuery = (tracker: number) =>
  queryOptions({
    queryKey: ['trackers', tracker, 'reports'],
    queryFn: () =>
      read(api.call('GET /trackers/{id}/tracker_reports', { path: { id: tracker }, query: { limit: MAX_REPORTS } })),
  })

export const reportQuery = (id: number) =>
  queryOptions({
    queryKey: ['reports', id],
    queryFn: () => read(api.call('GET /tracker_reports/{id}', { path: { id }, query: { representation: 'full' } })),
  })

export async function invalidateReports(tracker: number): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: reportsQuery(tracker).queryKey })
  await queryClient.invalidateQueries({ queryKey: ['reports'] })
}

export interface SavedView {
  /** Undefined: the query is not readable by the viewer or not expressible in TQL; only the rows are available. */
  readonly query: string | undefined
  readonly columns: string | undefined
  readonly widths: string | undefined
  readonly group: string | undefined
}

/** The table of a report, as the address names its parts. */
export function viewOfReport(report: TrackerReportFull | undefined): SavedView {
  const { query, columns = [], column_widths = [], grouped_by } = report?.view ?? {}
  const { field, bucket } = grouped_by ?? {}
  return {
    query: query ?? undefined,
    columns: columns.length > 0 ? columns.join() : undefined,
    widths: writeWidths(new Map(column_widths.map(({ field: name, width }) => [name, width]))),
    group: bucket === undefined ? field : `${field}:${bucket}`,
  }
}

/** The parts of a table that a report stores. */
export interface ShownTable {
  readonly query: string
  readonly columns: readonly string[]
  readonly widths: ColumnWidths
  readonly group: GroupChoice | undefined
}

/** A report of this table; other members are preserved. */
export function reportOf(before: ReportDefinition, { query, columns, widths, group }: ShownTable): ReportDefinition {
  const { renderers = [] } = before
  const [table = { type: 'table', label: before.label }, ...others] = renderers.toSorted(
    (one, other) => Number(other.type === 'table') - Number(one.type === 'table'),
  )
  const shown = {
    ...table,
    columns: [...columns],
    sort: [],
    column_widths: columns.flatMap((field) => {
      const width = widths.get(field)
      return width === undefined ? [] : [{ field, width }]
    }),
    grouped_by: group?.field ? { field: group.field.name, ...(group.bucket && { bucket: group.bucket }) } : null,
  }
  return { ...before, expert_query: query === '' ? null : query, criteria: [], renderers: [shown, ...others] }
}
