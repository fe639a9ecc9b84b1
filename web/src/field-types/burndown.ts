import { text } from '../artifacts/messages.ts'
import type { FieldType } from './field-type.ts'
import type { BurndownValue } from './values.ts'

export const burndown: FieldType<BurndownValue> = {
  type: 'burndown',
  kind: 'field',
  isEmpty: (value) => remainingEffort(value) === undefined,
  show(value) {
    const left = remainingEffort(value)
    return left !== undefined && text('value.left', { count: left })
  },
  column: { width: 8.5 },
  isSingle: true,
}

/** At the last day that has one. */
function remainingEffort({ value }: BurndownValue): number | undefined {
  const efforts = (value?.points_with_date ?? []).map(({ remaining_effort }) => remaining_effort)
  return efforts.findLast((effort) => effort !== null) ?? undefined
}
