import { type RawBuilder, sql } from 'kysely'
import type { GroupedList, GroupValue } from '../../trackers/search/group-value.ts'
import type { Bucket, Grouping, GroupKey } from './grouping.ts'
import type { Joined, Source } from './source-sql.ts'

type ValueOf<Kind extends GroupValue['kind']> = Extract<GroupValue, { kind: Kind }>

/** Stands where there is no value: so two groups are the same if all that they are of is equal. */
export const NONE = sql`(-9223372036854775808)::bigint`

/** What the columns of a group are called: of each key, and of each sum. */
export function columnsOf({ keys, sums }: Grouping) {
  return {
    values: keys.map((_, at) => sql.ref(`value${at}`)),
    sums: sums.map((_, at) => sql.ref(`sum${at}`)),
  }
}

/**
 * Each artifact of `fitting` in each of its groups, with the numbers that are added up: these are exact, so that their
 * sum is the same in whatever order they come. `more`: further columns of `fitting`.
 */
export function placedSql(grouping: Grouping, source: Source, ...more: readonly RawBuilder<unknown>[]) {
  const columns = columnsOf(grouping)
  const keys = grouping.keys.map((key, at) => keySql(key, grouping, source, sql.ref(`key${at}`)))
  const sums = grouping.sums.map(({ id }, at) => source.number(id, sql.ref(`number${at}`), 'number'))
  const selected = [
    ...more,
    ...keys.map(({ value }, at) => sql`coalesce(${value}, ${NONE}) as ${columns.values[at]}`),
    ...sums.map(({ value }, at) => sql`${value}::text::numeric as ${columns.sums[at]}`),
  ]
  const joins = [...keys, ...sums].map(({ join }) => join)
  return sql`select ${sql.join(selected)} from fitting as artifact ${sql.join(joins, sql` `)}`
}

/** The number that stands for the group: the id of what is chosen, the first day of the bucket, 1 for open. */
function keySql({ value, bucket }: GroupKey, { zone }: Grouping, source: Source, name: RawBuilder<unknown>): Joined {
  if (value.kind === 'list') return source.chosen(value.field, name, (id) => isShown(value, id))
  if (value.kind === 'date') return dateSql(value.of, bucket, zone, source, name)
  if (value.kind === 'open') return openSql(value.status, source, name)
  if ('field' in value.of) return source.chosen(value.of.field, name, () => sql`true`)
  return { join: sql``, value: source.fact(value.of.fact) }
}

/** A status is one value, so nothing is counted twice. */
function openSql(status: ValueOf<'open'>['status'], source: Source, name: RawBuilder<unknown>): Joined {
  if (!status) return { join: sql``, value: sql`1::bigint` }
  const chosen = source.chosen(status.field, name, (id) => sql`${id} = any(${status.ids}::bigint[])`)
  return { join: chosen.join, value: sql`(${chosen.value} is not null)::integer::bigint` }
}

function dateSql(
  of: ValueOf<'date'>['of'],
  bucket: Bucket | undefined,
  zone: string,
  source: Source,
  name: RawBuilder<unknown>,
): Joined {
  const wall = (instant: RawBuilder<unknown>) => sql`${instant} at time zone ${zone}`
  if ('fact' in of) return { join: sql``, value: firstDay(wall(source.fact(of.fact)), bucket) }
  const { join, value } = source.number(of.field, name, of.unit)
  const isDay = of.unit === 'day'
  const shown = isDay ? sql`date '1970-01-01' + ${value}::integer` : wall(sql`to_timestamp(${value})`)
  return { join, value: firstDay(shown, bucket) }
}

/** Whether answers show it: what is gone is no value. What people have added is negative. */
function isShown({ values, idOfAdded }: GroupedList, id: RawBuilder<unknown>): RawBuilder<boolean> {
  const isDefined = sql<boolean>`${id} = any(${values.map(({ number }) => number)}::bigint[])`
  return idOfAdded ? sql`(${id} < 0 or ${isDefined})` : isDefined
}

/**
 * In days since 1970-01-01; null stays null. In some zones there are days before the first of all years, and after the
 * last.
 */
function firstDay(wall: RawBuilder<unknown>, bucket: Bucket | undefined): RawBuilder<unknown> {
  const day = sql`least(greatest((${wall})::date, date '0001-01-01'), date '9999-12-31')`
  return sql`case when (${wall}) is not null
    then (date_trunc(${bucket}::text, ${day}::timestamp)::date - date '1970-01-01')::bigint end`
}
