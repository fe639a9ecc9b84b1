import { type RawBuilder, sql } from 'kysely'
import type { Unit } from '../../trackers/search/condition.ts'
import type { InstantFact, PersonFact } from '../../trackers/search/group-value.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import { storedIdsSql, storedNumberSql } from '../search/past-condition.ts'

/** A join to the row of `artifact` and the joined value; null if there is none. */
export interface JoinedValue {
  readonly join: RawBuilder<unknown>
  readonly value: RawBuilder<unknown>
}

/** The storage of the counted values. `name`: the alias of the joined rows. */
export interface ValueSource {
  /** One row per chosen value whose id satisfies `isMeant`. */
  chosen(
    field: FieldId,
    name: RawBuilder<unknown>,
    isMeant: (id: RawBuilder<unknown>) => RawBuilder<boolean>,
  ): JoinedValue
  number(field: FieldId, name: RawBuilder<unknown>, unit: Unit): JoinedValue
  fact(fact: PersonFact | InstantFact): RawBuilder<unknown>
}

/** Current values, from the index tables. */
export const CURRENT_VALUES: ValueSource = {
  chosen: (field, name, isMeant) => ({
    join: sql`left join value_index ${name} on ${name}.artifact_id = artifact.id and ${name}.field_id = ${field}
      and ${isMeant(sql`${name}.value`)}`,
    value: sql`${name}.value`,
  }),
  number: (field, name) => ({
    join: sql`left join number_index ${name} on ${name}.artifact_id = artifact.id and ${name}.field_id = ${field}`,
    value: sql`${name}.value`,
  }),
  fact: (fact) => sql.ref(`artifact.${fact}`),
}

/** Values of a past version: the row has `made`, `made_by`, and by `heldIn` each field value as text. */
export function pastValues(heldIn: (field: FieldId) => RawBuilder<unknown>): ValueSource {
  return {
    chosen: (field, name, isMeant) => ({
      join: sql`left join lateral (select distinct id as value from (${storedIdsSql(sql`(${heldIn(field)})::jsonb`)}) as held (id)
        where ${isMeant(sql`id`)}) ${name} on true`,
      value: sql`${name}.value`,
    }),
    number: (field, _, unit) => ({ join: sql``, value: storedNumberSql(heldIn(field), unit) }),
    fact(fact) {
      if (fact === 'last_update_by') return sql`artifact.made_by`
      return fact === 'last_modified_date' ? sql`artifact.made` : sql.ref(`artifact.${fact}`)
    },
  }
}
