import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Tracker, TrackerField, TrackerReportFull } from '@waypost/sdk/api'
import { useMemo } from 'react'
import { shownColumns } from './columns.ts'
import { reportQuery, viewOfReport } from './reports-query.ts'
import type { Source } from './row-loader.ts'
import type { TableSearch } from './table-search.ts'
import { exportPath, reportExportPath, reportSourceOf, sourceOf } from './table-source.ts'
import { splitOrder, type SortKey } from './tql/order.ts'

export interface TableView {
  readonly query: string
  readonly columns: readonly TrackerField[]
  readonly report: TrackerReportFull | undefined
  /** Its rows are shown, and nobody here knows what it looks for. */
  readonly isOpaque: boolean
  readonly isChanged: boolean
  readonly order: readonly SortKey[]
  readonly source: Source
  /** Names the source. */
  readonly key: string
  readonly exportPath: string
}

const NEWEST_FIRST = [{ name: '@id', isDescending: true }]

/** What the address says, and what the report that it names says where it says nothing. */
export function useTableView(tracker: Tracker) {
  const search = useSearch({ from: '/shell/trackers/$id' })
  const navigate = useNavigate({ from: '/trackers/$id' })
  const asked = useQuery({ ...reportQuery(search.report ?? 0), enabled: search.report !== undefined })
  const report = search.report === undefined ? undefined : asked.data
  const change = (next: TableSearch) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  const open = (id: number | undefined) => void navigate({ search: id === undefined ? {} : { report: id } })
  // The same object for the same view: what is drawn from it is drawn again only when it changes.
  const view = useMemo(() => viewOf(tracker, search, report), [tracker, search, report])
  const isWaiting = search.report !== undefined && asked.isPending
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
    source: isOpaque ? reportSourceOf(tracker.id, opaque, columns) : sourceOf(asked),
    key: JSON.stringify([opaque, query, columns.map(({ name }) => name)]),
    exportPath: isOpaque ? reportExportPath(opaque, columns) : exportPath(asked),
  }
}
