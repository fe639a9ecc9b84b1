import { type RawBuilder, sql } from 'kysely'
import { loginByIdSql } from '../../accounts/users/user.ts'
import type { SortValue } from '../../trackers/search/condition.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import { sortColumnName, type SortOrder, sortValueSql } from './order-sql.ts'

/**
 * The columns of `fitting` from the summary, with the joins that follow it. An index has at most one row of an artifact
 * and such a key.
 */
export function summaryKeysSql({ keys }: SortOrder): Record<'columns' | 'joins', RawBuilder<unknown>> {
  const made = keys.map(({ by }, at) => summaryKey(by, `sort_${at}`))
  const values = made.map(({ value }, at) => sql`${value} as ${sql.id(sortColumnName(at))}`)
  const joins = made.map(({ join = sql`` }) => join)
  return { columns: sql.join([sql`artifact.id`, ...values]), joins: sql.join(joins, sql` `) }
}

function summaryKey(by: SortValue, name: string): { value: RawBuilder<unknown>; join?: RawBuilder<unknown> } {
  const joined = (table: 'number_index' | 'value_index', field: FieldId) =>
    sql`left join ${sql.table(table)} ${sql.id(name)} on ${sql.ref(`${name}.artifact_id`)} = artifact.id
      and ${sql.ref(`${name}.field_id`)} = ${field}`
  const value = sql.ref(`${name}.value`)
  if (by.kind === 'number') return { value, join: joined('number_index', by.field) }
  if (by.kind === 'place')
    return { value: sql`array_position(${by.ids}::bigint[], ${value})`, join: joined('value_index', by.field) }
  if (by.kind === 'login_of_chosen') return { value: loginByIdSql(value), join: joined('value_index', by.field) }
  if (by.kind === 'text') return { value: sql`artifact.title` }
  return sortValueSql(by)
}
