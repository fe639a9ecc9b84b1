import { dayIn } from '../../platform/wire/dates.ts'
import { isTimed, toTheSecond } from '../fields/date.ts'
import type { Element, Tracker, Transition } from '../tracker.ts'
import { usedElement } from './list-values.ts'

interface Moment {
  readonly now: Date
  /** The zone of the caller, else the platform's: there it is today. */
  readonly zone: string
}

/** What a transition sets, by the ids of fields as an artifact stores them; over whatever was sent. */
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

function valueFor(element: Element, value: number | 'current' | '', { now, zone }: Moment): unknown {
  if (value === '') return null
  if (value !== 'current') return value
  return isTimed(element) ? toTheSecond(now) : dayIn(zone, now)
}
