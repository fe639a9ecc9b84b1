import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Tracker, TrackerField, TrackerReportFull } from '@waypost/sdk/api'
import { useMemo } from 'react'
import { shownColumns } from './columns.ts'
import { reportQuery, reportsQuery, viewOfReport } from './reports-query.ts'
import type { RowSource } from './row-loader.ts'
import { NO_REPORT, type TableSearch } from './table-search.ts'
import { exportPath, reportExportPath, reportSource, tableSource } from './table-source.ts'
import { splitOrder, type TqlSortKey } from './tql/order.ts'

export interface TableView {
  readonly query: string
  readonly columns: readonly TrackerField[]
  readonly report: TrackerReportFull | undefined
  /** The rows of a report are shown, but its criteria are not known. */
  readonly isOpaque: boolean
  readonly isChanged: boolean
  readonly order: readonly TqlSortKey[]
  readonly source: RowSource
  /** Identifies the source. */
  readonly key: string
  readonly exportPath: string
}

const NEWEST_FIRST = [{ name: '@id', isDescending: true }]

/** The view of the address, completed by the report that it names. */
export function useTableView(tracker: Tracker) {
  const search = useSearch({ from: '/shell/trackers/$id' })
  const navigate = useNavigate({ from: '/trackers/$id' })
  const reports = useQuery(reportsQuery(tracker.id))
  const standard = reports.data?.find(({ is_default }) => is_default)?.id
  const isBlank = search.q === undefined && search.columns === undefined && search.report === undefined
  const named = search.report ?? (isBlank ? standard : undefined) ?? NO_REPORT
  const asked = useQuery({ ...reportQuery(named), enabled: named !== NO_REPORT })
  const report = named === NO_REPORT ? undefined : asked.data
  // A change starts from the visible view, not from an empty address.
  const seen = named === NO_REPORT && standard === undefined ? {} : { report: named }
  const change = (next: TableSearch) =>
    void navigate({ search: (before) => ({ ...seen, ...before, ...next }), replace: true, resetScroll: false })
  const open = (id: number | undefined) =>
    void navigate({ search: id === undefined && standard === undefined ? {} : { report: id ?? NO_REPORT } })
  // A stable object per view, so that memoized children rerender only when it changes.
  const view = useMemo(() => viewOf(tracker, search, report), [tracker, search, report])
  const isWaiting = (isBlank && reports.isPending) || (named !== NO_REPORT && asked.isPending)
  return { view, change, open, isWaiting, error: asked.error, again: asked.refetch }
}

function viewOf(tracker: Tracker, search: TableSearch, report: TrackerReportFull | undefined): TableView {
  const saved = viewOfReport(report?.definition)
  const query = search.q ?? saved.query ?? ''
  const columns = shownColumns(tracker, search.columns ?? saved.columns)
  const opaque = report && search.q === undefined && saved.query === undefined ? report.id : undefined
  const isOpaque = opaque !== undefined
  const { order } = splitOrder(query)
  const asked = { tracker: tracker.id, query, columns }
  return {
    query,
    columns,
    report,
    isOpaque,
    isChanged:
      (search.q !== undefined && search.q !== saved.query) ||
      (search.columns !== undefined && search.columns !== saved.columns),
    order: order.length > 0 ? order : isOpaque ? [] : NEWEST_FIRST,
    source: isOpaque ? reportSource(tracker.id, opaque, columns) : tableSource(asked),
    key: JSON.stringify([opaque, query, columns.map(({ name }) => name)]),
    exportPath: isOpaque ? reportExportPath(opaque, columns) : exportPath(asked),
  }
}
