import { api } from '../../api.ts'
import { groupCondition, BY_PARENT_CHOICE } from '../grouping/group-choice.ts'
import { GroupedRows, type GroupSource } from '../grouping/grouped-rows.ts'
import { type TableQuery, tableQuestion } from '../table-source.ts'
import { joinOrder, splitOrder } from '../tql/order.ts'
import { addTerm, splitPast } from '../tql/terms.ts'
import { quoted } from '../tql/tokens.ts'
import { TreeStore } from './tree-store.ts'

/** The rows of a query, each with its children of the same tracker below it. */
export function loadTree(question: TableQuery, itemName: string): GroupedRows<TreeStore> {
  return new GroupedRows(treeSource(question, itemName), new TreeStore())
}

/** The condition of rows at the top: no row of the same table is their parent. */
export function topCondition(where: string, itemName: string): string {
  const apart = `WITHOUT PARENT TRACKER = ${quoted(itemName)}`
  const { condition } = splitPast(where)
  return addTerm(where, condition === '' ? apart : `${apart} WHERE (${condition})`)
}

function treeSource(question: TableQuery, itemName: string): GroupSource {
  const { tracker } = question
  const { where, order } = splitOrder(question.query)
  const path = { id: tracker }
  return {
    tracker,
    async count(limit, signal) {
      const query = { by: '@parent', order: 'count' as const, ...(where !== '' && { expert_query: where }), limit }
      const answer = await api.call('GET /trackers/{id}/artifacts/groups', { path, query, signal })
      if (!answer.ok) return answer
      const { body } = answer
      return { ...answer, body: 'groups' in body ? body : { by: [], total: 0, groups: [] } }
    },
    async read(key, offset, limit, signal) {
      const isOfBranch =
        key === null ? topCondition(where, itemName) : addTerm(where, groupCondition(BY_PARENT_CHOICE, key))
      const query = {
        ...tableQuestion({ ...question, query: joinOrder({ where: isOfBranch, order }) }),
        limit,
        offset,
      }
      const answer = await api.call('GET /trackers/{id}/artifacts', { path, query, signal })
      return answer.ok ? { ...answer, body: Array.isArray(answer.body) ? answer.body : [] } : answer
    },
  }
}
