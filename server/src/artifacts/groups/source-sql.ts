import { type RawBuilder, sql } from 'kysely'
import type { Unit } from '../../trackers/search/condition.ts'
import type { InstantFact, PersonFact } from '../../trackers/search/group-value.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import { idsOf, numberOf } from '../search/past-condition.ts'

/** What is joined to the row of `artifact`, and what of it is meant; null where there is nothing. */
export interface Joined {
  readonly join: RawBuilder<unknown>
  readonly value: RawBuilder<unknown>
}

/** Where the values stand that are counted. `name`: what the joined rows are called. */
export interface Source {
  /** One row for each that is chosen, as far as `isMeant` says so of its id. */
  chosen(field: FieldId, name: RawBuilder<unknown>, isMeant: (id: RawBuilder<unknown>) => RawBuilder<boolean>): Joined
  number(field: FieldId, name: RawBuilder<unknown>, unit: Unit): Joined
  fact(fact: PersonFact | InstantFact): RawBuilder<unknown>
}

/** What artifacts have now, from the indexes beside them. */
export const NOW: Source = {
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

/**
 * What they had in a version of the past: of it, the row has `made`, `made_by`, and by `heldIn` the text of what each
 * field held.
 */
export function thenIn(heldIn: (field: FieldId) => RawBuilder<unknown>): Source {
  return {
    chosen: (field, name, isMeant) => ({
      join: sql`left join lateral (select distinct id as value from (${idsOf(sql`(${heldIn(field)})::jsonb`)}) as held (id)
        where ${isMeant(sql`id`)}) ${name} on true`,
      value: sql`${name}.value`,
    }),
    number: (field, _, unit) => ({ join: sql``, value: numberOf(heldIn(field), unit) }),
    fact(fact) {
      if (fact === 'last_update_by') return sql`artifact.made_by`
      return fact === 'last_modified_date' ? sql`artifact.made` : sql.ref(`artifact.${fact}`)
    },
  }
}
