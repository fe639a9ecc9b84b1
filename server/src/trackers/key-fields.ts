import { fieldTypeOf } from './field-types/field-types.ts'
import type { Element, Structure } from './tracker.ts'

/** Names that stand for the due date in trackers without a timeframe. Pages use the same list. */
const DUE_NAMES = ['due_date', 'due', 'due_on', 'deadline', 'end_date']
const PRIORITY_NAME = 'priority'

type Fields = Pick<Structure, 'elements' | 'semantics'>

/** The field with the due date: the end of the timeframe, or a date with a usual name. */
export function findDueField({ elements, semantics: { timeframe } }: Fields): Element | undefined {
  const dates = elements.filter((element) => element.is_used && fieldTypeOf(element).dateOf !== undefined)
  const end = timeframe && 'end' in timeframe ? dates.find(({ id }) => id === timeframe.end) : undefined
  return end ?? dates.find(({ name }) => DUE_NAMES.includes(name))
}

/** The list with the priority, by its name. */
export function findPriorityField({ elements }: Fields): Element | undefined {
  return elements.find(({ name, is_used, bind }) => is_used && name === PRIORITY_NAME && bind?.type === 'static')
}
