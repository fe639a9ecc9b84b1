import { fieldTypeOf } from '../field-types/field-types.ts'
import type { Element, Tracker, Transition } from '../tracker.ts'
import { usedElement } from './list-values.ts'

interface Moment {
  readonly now: Date
  /** The time zone of the caller, or else of the platform; it determines the current day. */
  readonly zone: string
}

/** The values that a transition sets, in stored form by field id; they override the values sent. */
export function preActions(
  tracker: Pick<Tracker, 'elements'>,
  transition: Transition,
  moment: Moment,
): Record<string, unknown> {
  const changes: Record<string, unknown> = {}
  for (const action of transition.actions) {
    if (action.type !== 'set_field_value' || action.value === null) continue
    const element = usedElement(tracker, action.field_id)
    if (element) changes[String(element.id)] = valueFor(element, action.value, moment)
  }
  return changes
}

function valueFor(element: Element, value: number | 'current' | '', moment: Moment): unknown {
  if (value === '') return null
  const { action } = fieldTypeOf(element)
  return value === 'current' && action?.kind === 'moment' ? action.stored(element, moment) : value
}
