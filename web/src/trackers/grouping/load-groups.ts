import type { TrackerField } from '@waypost/sdk/api'
import { api } from '../../api.ts'
import { fieldType } from '../../field-types/field-types.ts'
import { loadCollapsed, storeCollapsed } from '../../shell/collapsed-parts.ts'
import { type TableQuery, tableQuestion } from '../table-source.ts'
import { joinOrder, splitOrder } from '../tql/order.ts'
import { addTerm } from '../tql/terms.ts'
import { type GroupChoice, groupCondition, groupName } from './group-choice.ts'
import { GroupedRows, type GroupSource } from './grouped-rows.ts'
import { type CollapsedGroups, GroupedStore } from './grouped-store.ts'

/** The API adds up at most this many fields. */
const MAX_SUMS = 3

/** The rows of a query in groups. */
export function loadGroups(question: TableQuery, choice: GroupChoice): GroupedRows<GroupedStore> {
  const grouping = { choice, sums: summedFields(question.columns) }
  return new GroupedRows(groupSource(question, choice), new GroupedStore(grouping, collapsedGroups(choice)))
}

function summedFields(columns: readonly TrackerField[]): readonly TrackerField[] {
  return columns.filter((field) => fieldType(field).isSummable).slice(0, MAX_SUMS)
}

function collapsedGroups(choice: GroupChoice): CollapsedGroups {
  let chosen = loadCollapsed()
  const prefix = `table ${choice.field?.field_id ?? groupName(choice)} ${choice.bucket ?? ''}`
  return {
    isCollapsed: (group) => chosen.get(`${prefix} ${group}`) ?? false,
    store: (group, isCollapsed) => {
      chosen = storeCollapsed(`${prefix} ${group}`, isCollapsed)
    },
  }
}

/** The query parameters of the counts. */
export function groupsQuestion({ query, columns }: TableQuery, choice: GroupChoice) {
  const { where } = splitOrder(query)
  const sum = summedFields(columns).map(({ name }) => name)
  return {
    by: groupName(choice),
    ...(sum.length > 0 && { sum: sum.join() }),
    ...(where !== '' && { expert_query: where }),
  }
}

function groupSource(question: TableQuery, choice: GroupChoice): GroupSource {
  const { tracker } = question
  const { where, order } = splitOrder(question.query)
  const path = { id: tracker }
  return {
    tracker,
    async count(limit, signal) {
      const query = { ...groupsQuestion(question, choice), limit }
      const answer = await api.call('GET /trackers/{id}/artifacts/groups', { path, query, signal })
      if (!answer.ok) return answer
      const { body } = answer
      // `EXPLAIN` returns a plan instead of counts.
      return { ...answer, body: 'groups' in body ? body : { by: [], total: 0, groups: [] } }
    },
    async read(key, offset, limit, signal) {
      const ofGroup = joinOrder({ where: addTerm(where, groupCondition(choice, key)), order })
      const query = { ...tableQuestion({ ...question, query: ofGroup }), limit, offset }
      const answer = await api.call('GET /trackers/{id}/artifacts', { path, query, signal })
      return answer.ok ? { ...answer, body: Array.isArray(answer.body) ? answer.body : [] } : answer
    },
  }
}
