import type { StoredValues, Tracker, TrackerId, Trigger } from '../tracker.ts'
import { storedListValues } from './list-values.ts'

/** The current state of a child artifact. */
export interface Child {
  readonly id: number
  readonly tracker_id: TrackerId
  readonly values: StoredValues
}

/**
 * The triggers that fire on an artifact after one of its children has changed, in order. A trigger whose target value
 * is already set does not fire.
 */
export function firingTriggers(
  { triggers }: Pick<Tracker, 'triggers'>,
  parent: StoredValues,
  changed: Child,
  children: readonly Child[],
): Trigger[] {
  return triggers.filter((trigger) => {
    if (storedListValues(parent, trigger.field_id)?.includes(trigger.value)) return false
    if (meets(trigger, changed) !== true) return false
    return trigger.condition === 'at_least_one' || children.every((child) => meets(trigger, child) !== false)
  })
}

/** Whether a child has the value that the trigger requires; undefined if the trigger does not cover its tracker. */
function meets({ when }: Trigger, { tracker_id, values }: Child): boolean | undefined {
  const wanted = when.find((each) => each.tracker_id === tracker_id)
  return wanted && (storedListValues(values, wanted.field_id)?.includes(wanted.value) ?? false)
}
