import { queryOptions } from '@tanstack/react-query'
import type { ReportDefinition } from '@waypost/sdk/api'
import { api, read } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { joinOrder, splitOrder } from './tql/order.ts'

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
  /** Undefined: the criteria are not readable by the viewer or not expressible in TQL; only the rows are available. */
  readonly query: string | undefined
  readonly columns: string | undefined
}

/** The query and the columns of a report. */
export function viewOfReport(definition: ReportDefinition | null | undefined): SavedView {
  if (!definition) return { query: undefined, columns: undefined }
  const { expert_query: said, criteria = [], renderers = [] } = definition
  const table = renderers.find(({ type }) => type === 'table')
  const columns = table?.columns && table.columns.length > 0 ? table.columns.join() : undefined
  const isOfCriteria = (said ?? '') === '' && criteria.some(({ value }) => value !== undefined && value !== null)
  if (isOfCriteria) return { query: undefined, columns }
  const { where, order } = splitOrder(said ?? '')
  const sort = (table?.sort ?? []).map(({ field, direction }) => ({ name: field, isDescending: direction === 'desc' }))
  return { query: joinOrder({ where, order: order.length > 0 ? order : sort }), columns }
}

/** A report with this query and these columns; other members are preserved. */
export function reportOf(
  before: ReportDefinition,
  { query, columns }: { query: string; columns: readonly string[] },
): ReportDefinition {
  const { renderers = [] } = before
  const [table = { type: 'table', label: before.label }, ...others] = renderers.toSorted(
    (one, other) => Number(other.type === 'table') - Number(one.type === 'table'),
  )
  const shown = { ...table, columns: [...columns], sort: [] }
  return { ...before, expert_query: query === '' ? null : query, criteria: [], renderers: [shown, ...others] }
}
