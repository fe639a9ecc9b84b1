import type { SnippetCall } from '../design/api-snippets.tsx'
import { groupsQuestion } from './grouping/load-groups.ts'
import { text } from './messages.ts'
import { columnFields, tableQuestion } from './table-source.ts'
import type { TableView } from './use-table-view.ts'

/** The API calls of the table. */
export function tableCalls(tracker: number, view: TableView): readonly SnippetCall[] {
  const { query, columns, group, report, isOpaque } = view
  if (isOpaque && report)
    return [
      {
        label: text('table.call'),
        operation: 'GET /tracker_reports/{id}/artifacts',
        path: { id: report.id },
        query: { fields: columnFields(columns), limit: 50 },
      },
    ]
  const rows: SnippetCall = {
    label: text('table.call'),
    operation: 'GET /trackers/{id}/artifacts',
    path: { id: tracker },
    query: { ...tableQuestion({ tracker, query, columns }), limit: 100 },
  }
  if (!group) return [rows]
  const groups: SnippetCall = {
    label: text('group.call'),
    operation: 'GET /trackers/{id}/artifacts/groups',
    path: { id: tracker },
    query: groupsQuestion({ tracker, query, columns }, group),
  }
  return [groups, rows]
}
