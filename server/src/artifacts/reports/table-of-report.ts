import { ApiError } from '../../platform/messages/errors.ts'
import type { Renderer, Report } from '../../trackers/tracker.ts'

interface TableRequest {
  readonly values?: 'all' | 'from_table_renderer'
  readonly table_renderer_id?: number
}

/** The requested table, or the first one; may be missing unless its columns are needed. */
export function tableOfReport(
  { renderers }: Report,
  { values, table_renderer_id }: TableRequest,
): Renderer | undefined {
  const tables = renderers.filter(({ type }) => type === 'table')
  const allowed = tables.map(({ id, label }) => ({ id, label }))
  const path = 'table_renderer_id'
  if (table_renderer_id !== undefined) {
    const table = tables.find(({ id }) => id === table_renderer_id)
    if (!table) throw new ApiError('reference_unknown', { path, rule: 'exists', allowed })
    return table
  }
  if (values === 'from_table_renderer' && tables.length === 0)
    throw new ApiError('parameter_conflict', { path: 'values', cause: 'no_table' })
  if (values === 'from_table_renderer' && tables.length > 1)
    throw new ApiError('parameter_required', { path, rule: 'required', allowed })
  return tables[0]
}
