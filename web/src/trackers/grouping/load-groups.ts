import type { TrackerField } from '@waypost/sdk/api'
import { fieldType } from '../../field-types/field-types.ts'
import { loadCollapsed, storeCollapsed } from '../../shell/collapsed-parts.ts'
import { readRows, type TableQuery } from '../table-source.ts'
import { joinOrder, splitOrder } from '../tql/order.ts'
import { addTerm } from '../tql/terms.ts'
import { type GroupChoice, groupCondition, groupName } from './group-choice.ts'
import { GroupedRows, type GroupSource } from './grouped-rows.ts'
import { type CollapsedGroups, GroupedStore } from './grouped-store.ts'
import { readCounts } from './read-counts.ts'

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
  return {
    tracker,
    count: (limit, signal) => readCounts(tracker, { ...groupsQuestion(question, choice), limit }, signal),
    read(key, offset, limit, signal) {
      const query = joinOrder({ where: addTerm(where, groupCondition(choice, key)), order })
      return readRows({ ...question, query }, { offset, limit }, signal)
    },
  }
}
