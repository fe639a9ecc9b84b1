import type { TrackerField } from '@waypost/sdk/api'
import { fieldType } from '../../field-types/field-types.ts'
import { fieldValue, type WithValues } from '../artifact-queries.ts'

/** The fields whose entered values differ between two states; computed ones, such as the date of the last update, are left out. */
export function differingFields(
  tracker: { readonly fields: readonly TrackerField[] },
  then: WithValues,
  now: WithValues,
): ReadonlySet<number> {
  const differs = (field: TrackerField) => {
    const { editing } = fieldType(field)
    const written = (state: WithValues) => JSON.stringify(editing?.toDraft(field, fieldValue(state, field.field_id)))
    return editing !== undefined && written(then) !== written(now)
  }
  return new Set(tracker.fields.filter(differs).map(({ field_id }) => field_id))
}
