import { groupCondition, BY_PARENT_CHOICE } from '../grouping/group-choice.ts'
import { GroupedRows, type GroupSource } from '../grouping/grouped-rows.ts'
import { readCounts } from '../grouping/read-counts.ts'
import { readRows, type TableQuery } from '../table-source.ts'
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
  return {
    tracker,
    count(limit, signal) {
      const query = { by: '@parent', order: 'count', ...(where !== '' && { expert_query: where }), limit } as const
      return readCounts(tracker, query, signal)
    },
    read(key, offset, limit, signal) {
      const isOfBranch =
        key === null ? topCondition(where, itemName) : addTerm(where, groupCondition(BY_PARENT_CHOICE, key))
      return readRows({ ...question, query: joinOrder({ where: isOfBranch, order }) }, { offset, limit }, signal)
    },
  }
}
