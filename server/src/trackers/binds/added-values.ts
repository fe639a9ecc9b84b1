import { type RawBuilder, sql } from 'kysely'
import type { FieldId } from '../tracker.ts'

// SQL fragments for the values that users added to an open list. Their numbers are negative, as in the index.

/** The numbers of all added values of the field. */
export function addedNumbers(field: FieldId): RawBuilder<unknown> {
  return sql`select -open_value.id from open_value where open_value.field_id = ${field}`
}

/** The label of an added value; null if the number is not an added value. */
export function addedLabel(field: FieldId, number: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`(select open_value.label collate waypost from open_value
    where open_value.field_id = ${field} and open_value.id = -${number})`
}
