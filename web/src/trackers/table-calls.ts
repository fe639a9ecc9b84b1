import type { Call } from '../design/copy.tsx'
import { text } from './words.ts'
import { fieldsOf, questionOf } from './table-source.ts'
import type { TableView } from './use-table-view.ts'

/** What the table shows, as calls. */
export function tableCalls(tracker: number, { query, columns, report, isOpaque }: TableView): readonly Call[] {
  if (isOpaque && report)
    return [
      {
        label: text('table.call'),
        operation: 'GET /tracker_reports/{id}/artifacts',
        path: { id: report.id },
        query: { fields: fieldsOf(columns), limit: 50 },
      },
    ]
  const rows: Call = {
    label: text('table.call'),
    operation: 'GET /trackers/{id}/artifacts',
    path: { id: tracker },
    query: { ...questionOf({ tracker, query, columns }), limit: 100 },
  }
  return [rows]
}
