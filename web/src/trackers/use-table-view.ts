import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Tracker, TrackerField, TrackerReportFull } from '@waypost/sdk/api'
import { useMemo } from 'react'
import { type ColumnWidths, parseWidths } from './column-widths.ts'
import { shownColumns } from './columns.ts'
import type { GridRows } from './grid-rows.ts'
import { AS_TREE, findGroupChoice, type GroupChoice, groupName } from './grouping/group-choice.ts'
import { loadGroups } from './grouping/load-groups.ts'
import { reportQuery, reportsQuery, viewOfReport } from './reports-query.ts'
import { RowLoader, type RowSource } from './row-loader.ts'
import { NO_GROUP, NO_REPORT, readTableSearch, type TableSearch } from './table-search.ts'
import { exportPath, reportExportPath, reportSource, tableSource } from './table-source.ts'
import { splitOrder, type TqlSortKey } from './tql/order.ts'
import { loadTree } from './tree/load-tree.ts'

export interface TableView {
  readonly query: string
  readonly columns: readonly TrackerField[]
  readonly widths: ColumnWidths
  readonly group: GroupChoice | undefined
  /** Children stand below their parents. */
  readonly isTree: boolean
  readonly report: TrackerReportFull | undefined
  /** The rows of a report are shown, but its criteria are not known. */
  readonly isOpaque: boolean
  readonly isChanged: boolean
  readonly order: readonly TqlSortKey[]
  /** The moment whose rows are shown; undefined: now. */
  readonly at: string | undefined
  /** All rows, without groups. */
  readonly source: RowSource
  readonly load: () => GridRows
  /** Identifies what is loaded. */
  readonly key: string
  readonly exportPath: string
}

const NEWEST_FIRST = [{ name: '@id', isDescending: true }]

/** The view of the address, completed by the report that it names. */
export function useTableView(tracker: Tracker) {
  const search = useSearch({ from: '/shell/trackers/$id', select: readTableSearch, structuralSharing: true })
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
    void navigate({
      search: ({ at }) => ({ ...(id === undefined && standard === undefined ? {} : { report: id ?? NO_REPORT }), at }),
    })
  // A stable object per view, so that memoized children rerender only when it changes.
  const view = useMemo(() => viewOf(tracker, search, report), [tracker, search, report])
  const isWaiting = (isBlank && reports.isPending) || (named !== NO_REPORT && asked.isPending)
  return { view, change, open, isWaiting, error: asked.error, again: asked.refetch }
}

function viewOf(tracker: Tracker, search: TableSearch, report: TrackerReportFull | undefined): TableView {
  const saved = viewOfReport(report)
  const query = search.q ?? saved.query ?? ''
  const columns = shownColumns(tracker, search.columns ?? saved.columns)
  const opaque = report && search.q === undefined && saved.query === undefined ? report.id : undefined
  const isOpaque = opaque !== undefined
  const { order } = splitOrder(query)
  const asked = { tracker: tracker.id, query, columns }
  const group = isOpaque ? undefined : findGroupChoice(tracker, search.group ?? saved.group)
  const isTree = !isOpaque && search.group === AS_TREE
  const source = isOpaque ? reportSource(tracker.id, opaque, columns) : tableSource(asked)
  // Their order and widths do not change the rows.
  const names = columns.map(({ name }) => name).toSorted()
  return {
    query,
    columns,
    widths: parseWidths(search.widths ?? saved.widths),
    group,
    isTree,
    report,
    isOpaque,
    isChanged:
      (search.q !== undefined && search.q !== saved.query) ||
      (search.columns !== undefined && search.columns !== saved.columns) ||
      (search.widths !== undefined && search.widths !== saved.widths) ||
      // A report keeps groups by fields only.
      (search.group !== undefined && !search.group.startsWith('@') && search.group !== (saved.group ?? NO_GROUP)),
    at: search.at,
    order: order.length > 0 ? order : isOpaque ? [] : NEWEST_FIRST,
    source,
    load: () => {
      if (isTree) return loadTree(asked, tracker.item_name)
      return group ? loadGroups(asked, group) : new RowLoader(source)
    },
    key: JSON.stringify([
      'table',
      tracker.id,
      opaque ?? null,
      query,
      names,
      isTree ? AS_TREE : group ? groupName(group) : null,
    ]),
    exportPath: isOpaque ? reportExportPath(opaque, columns) : exportPath(asked),
  }
}
