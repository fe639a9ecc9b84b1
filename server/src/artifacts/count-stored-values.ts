import { sql } from 'kysely'
import type { StoredValuesPort } from '../trackers/stored-values.ts'
import type { FieldId, ListValueId } from '../trackers/tracker.ts'

const EMPTY = sql`('null'::jsonb, '[]'::jsonb, '""'::jsonb)`

/** Exact counts, for administrators who change the fields of a tracker. */
export const storedValues: StoredValuesPort = {
  async countFields(db, tracker, fields) {
    if (fields.length === 0) return new Map()
    const { rows } = await sql<{ field: FieldId; count: number }>`
      select field, count(*) as count from unnest(${fields}::bigint[]) as field
        join artifact on artifact.tracker_id = ${tracker} and artifact.deleted_on is null
          and artifact.field_values ? field::text and artifact.field_values -> field::text not in ${EMPTY}
      group by field`.execute(db)
    return new Map(rows.map(({ field, count }) => [field, count]))
  },

  async countValues(db, tracker, values) {
    if (values.length === 0) return new Map()
    const { rows } = await sql<{ value: ListValueId; count: number }>`
      select asked.value, count(*) as count
      from unnest(${values.map(({ field }) => field)}::bigint[], ${values.map(({ value }) => value)}::bigint[])
          as asked (field, value)
        join artifact on artifact.tracker_id = ${tracker} and artifact.deleted_on is null
          and artifact.field_values -> asked.field::text @> to_jsonb(asked.value)
      group by asked.value`.execute(db)
    return new Map(rows.map(({ value, count }) => [value, count]))
  },

  async usedFields(db, tracker, fields) {
    if (fields.length === 0) return new Set()
    const { rows } = await sql<{ field: FieldId }>`
      select field from unnest(${fields}::bigint[]) as field where exists (
        select from artifact join changeset on changeset.artifact_id = artifact.id
        where artifact.tracker_id = ${tracker} and changeset.changes ? field::text
          and changeset.changes -> field::text not in ${EMPTY})`.execute(db)
    return new Set(rows.map(({ field }) => field))
  },

  async usedValues(db, tracker, values) {
    if (values.length === 0) return new Set()
    const { rows } = await sql<{ value: ListValueId }>`
      select asked.value
      from unnest(${values.map(({ field }) => field)}::bigint[], ${values.map(({ value }) => value)}::bigint[])
        as asked (field, value)
      where exists (
        select from artifact join changeset on changeset.artifact_id = artifact.id
        where artifact.tracker_id = ${tracker} and changeset.changes -> asked.field::text @> to_jsonb(asked.value))`.execute(
      db,
    )
    return new Set(rows.map(({ value }) => value))
  },
}
