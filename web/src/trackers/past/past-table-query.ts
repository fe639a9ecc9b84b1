import { queryOptions } from '@tanstack/react-query'
import { sizeOf } from '@waypost/sdk'
import { Refusal } from '@waypost/sdk/answer'
import { api } from '../../api.ts'
import { columnFields, exportPath, type TableQuery, tableQuestion } from '../table-source.ts'
import { joinOrder, splitOrder } from '../tql/order.ts'
import { splitPast } from '../tql/terms.ts'
import { quoted } from '../tql/tokens.ts'

/** The condition of a query, without its order and its own moment. */
export function presentCondition(query: string): string {
  return splitPast(splitOrder(query).where).condition
}

/** The same query as of a moment. */
export function queryAsOf(query: string, at: string): string {
  const where = `${presentCondition(query)} AS OF ${quoted(at)}`.trim()
  return joinOrder({ where, order: splitOrder(query).order })
}

/** The query parameters of a table as of a moment. */
export function pastQuestion({ query, ...table }: TableQuery, at: string) {
  const fields = `${columnFields(table.columns)},version,is_current`
  return { ...tableQuestion({ ...table, query: queryAsOf(query, at) }), values_as_of: true, fields }
}

export function pastExportPath({ query, ...table }: TableQuery, at: string): string {
  return `${exportPath({ ...table, query: queryAsOf(query, at) })}&values_as_of=true`
}

/** How many artifacts match today. */
export const presentSizeQuery = ({ tracker, query: written }: Pick<TableQuery, 'tracker' | 'query'>) =>
  queryOptions({
    queryKey: ['rows', 'present', tracker, written],
    queryFn: async () => {
      const where = presentCondition(written)
      const query = { ...(where !== '' && { expert_query: where }), fields: 'id', limit: 0 }
      const answer = await api.call('GET /trackers/{id}/artifacts', { path: { id: tracker }, query })
      if (!answer.ok) throw new Refusal(answer)
      return sizeOf(answer)
    },
  })
