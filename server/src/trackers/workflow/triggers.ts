import type { StoredValues, Tracker, TrackerId, Trigger } from '../tracker.ts'
import { valuesOf } from './list-values.ts'

/** A child of an artifact, as it is now. */
export interface Child {
  readonly id: number
  readonly tracker_id: TrackerId
  readonly values: StoredValues
}

/**
 * Which triggers of a tracker act on one of its artifacts after one of its children has changed, in their order. One
 * whose target the artifact has already does nothing.
 */
export function firingTriggers(
  { triggers }: Pick<Tracker, 'triggers'>,
  parent: StoredValues,
  changed: Child,
  children: readonly Child[],
): Trigger[] {
  return triggers.filter((trigger) => {
    if (valuesOf(parent, trigger.field_id)?.includes(trigger.value)) return false
    if (meets(trigger, changed) !== true) return false
    return trigger.condition === 'at_least_one' || children.every((child) => meets(trigger, child) !== false)
  })
}

/** Whether a child has the value that the trigger waits for; undefined: the trigger does not look at its tracker. */
function meets({ when }: Trigger, { tracker_id, values }: Child): boolean | undefined {
  const wanted = when.find((each) => each.tracker_id === tracker_id)
  return wanted && (valuesOf(values, wanted.field_id)?.includes(wanted.value) ?? false)
}
