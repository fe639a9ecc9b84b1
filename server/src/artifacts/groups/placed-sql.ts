import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { GroupedList, GroupValue } from '../../trackers/search/group-value.ts'
import type { Bucket } from '../../trackers/tracker.ts'
import { maySeeLinkedArtifact } from '../visibility.ts'
import type { Grouping, GroupKey } from './grouping.ts'
import type { JoinedValue, ValueSource } from './source-sql.ts'

type ValueOf<Kind extends GroupValue['kind']> = Extract<GroupValue, { kind: Kind }>

/** Stands for "no value", so that groups compare with `=`. */
export const NO_VALUE_KEY = sql`(-9223372036854775808)::bigint`

/** Column names of a group: one per key and one per sum. */
export function groupColumns({ keys, sums }: Grouping) {
  return {
    values: keys.map((_, at) => sql.ref(`value${at}`)),
    sums: sums.map((_, at) => sql.ref(`sum${at}`)),
  }
}

/**
 * Each artifact of `fitting` in each of its groups, with the numbers to sum as exact decimals, so that the order does
 * not affect the sum. `more`: further columns of `fitting`.
 */
export function placedSql(grouping: Grouping, source: ValueSource, ...more: readonly RawBuilder<unknown>[]) {
  const columns = groupColumns(grouping)
  const keys = grouping.keys.map((key, at) => keySql(key, grouping, source, sql.ref(`key${at}`)))
  const sums = grouping.sums.map(({ id }, at) => source.number(id, sql.ref(`number${at}`), 'number'))
  const selected = [
    ...more,
    ...keys.map(({ value }, at) => sql`coalesce(${value}, ${NO_VALUE_KEY}) as ${columns.values[at]}`),
    ...sums.map(({ value }, at) => sql`${value}::text::numeric as ${columns.sums[at]}`),
  ]
  const joins = [...keys, ...sums].map(({ join }) => join)
  return sql`select ${sql.join(selected)} from fitting as artifact ${sql.join(joins, sql` `)}`
}

/** The number that identifies the group: the id of the value, the first day of the bucket, 1 for open. */
function keySql(
  { value, bucket }: GroupKey,
  { zone, viewer }: Grouping,
  source: ValueSource,
  name: RawBuilder<unknown>,
): JoinedValue {
  if (value.kind === 'list') return source.chosen(value.field, name, (id) => isShown(value, id))
  if (value.kind === 'date') return dateSql(value.of, bucket, zone, source, name)
  if (value.kind === 'open') return openSql(value.status, source, name)
  if (value.kind === 'parent') return parentSql(viewer, name)
  if ('field' in value.of) return source.chosen(value.of.field, name, () => sql`true`)
  return { join: sql``, value: source.fact(value.of.fact) }
}

/** A status has one value, so the join does not multiply rows. */
function openSql(status: ValueOf<'open'>['status'], source: ValueSource, name: RawBuilder<unknown>): JoinedValue {
  if (!status) return { join: sql``, value: sql`1::bigint` }
  const chosen = source.chosen(status.field, name, (id) => sql`${id} = any(${status.ids}::bigint[])`)
  return { join: chosen.join, value: sql`(${chosen.value} is not null)::integer::bigint` }
}

/** A row per visible parent; needs the CTE `me`. */
function parentSql(viewer: Viewer, name: RawBuilder<unknown>): JoinedValue {
  const isSeen = maySeeLinkedArtifact(viewer, aliases('artifact', 'me'))
  return {
    join: sql`left join lateral (select link.source_id as value from artifact_link link
      where link.target_id = artifact.id and link.type = '_is_child' and exists (
        select from artifact where artifact.id = link.source_id and ${isSeen})) ${name} on true`,
    value: sql`${name}.value`,
  }
}

function dateSql(
  of: ValueOf<'date'>['of'],
  bucket: Bucket | undefined,
  zone: string,
  source: ValueSource,
  name: RawBuilder<unknown>,
): JoinedValue {
  const wall = (instant: RawBuilder<unknown>) => sql`${instant} at time zone ${zone}`
  if ('fact' in of) return { join: sql``, value: firstDay(wall(source.fact(of.fact)), bucket) }
  const { join, value } = source.number(of.field, name, of.unit)
  const isDay = of.unit === 'day'
  const shown = isDay ? sql`date '1970-01-01' + ${value}::integer` : wall(sql`to_timestamp(${value})`)
  return { join, value: firstDay(shown, bucket) }
}

/** True if responses show the value: removed values are excluded. Ids of added values are negative. */
function isShown({ values, idOfAdded }: GroupedList, id: RawBuilder<unknown>): RawBuilder<boolean> {
  const isDefined = sql<boolean>`${id} = any(${values.map(({ number }) => number)}::bigint[])`
  return idOfAdded ? sql`(${id} < 0 or ${isDefined})` : isDefined
}

/**
 * Days since 1970-01-01; null stays null. Clamped to years 1 to 9999, because a time zone may shift a date beyond them.
 */
function firstDay(wall: RawBuilder<unknown>, bucket: Bucket | undefined): RawBuilder<unknown> {
  const day = sql`least(greatest((${wall})::date, date '0001-01-01'), date '9999-12-31')`
  return sql`case when (${wall}) is not null
    then (date_trunc(${bucket}::text, ${day}::timestamp)::date - date '1970-01-01')::bigint end`
}
