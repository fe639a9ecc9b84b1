import { type RawBuilder, sql } from 'kysely'
import type { FieldId } from '../tracker.ts'

// What people have added to an open list, as parts of statements of another room. Its numbers are negative, as in the index.

/** The numbers of all that there is. */
export function addedNumbers(field: FieldId): RawBuilder<unknown> {
  return sql`select -open_value.id from open_value where open_value.field_id = ${field}`
}

/** The label of one; null: it is none of them. */
export function addedLabel(field: FieldId, number: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`(select open_value.label collate waypost from open_value
    where open_value.field_id = ${field} and open_value.id = -${number})`
}
