import type { SnippetCall } from '../design/api-snippets.tsx'
import { text } from './messages.ts'
import { columnFields, tableQuestion } from './table-source.ts'
import type { TableView } from './use-table-view.ts'

/** The API calls of the table. */
export function tableCalls(tracker: number, { query, columns, report, isOpaque }: TableView): readonly SnippetCall[] {
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
  return [rows]
}
