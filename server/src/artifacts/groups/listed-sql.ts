import { type RawBuilder, sql } from 'kysely'
import { loginByIdSql } from '../../accounts/users/user.ts'
import type { Pagination, KeysetPosition } from '../../platform/http/pages.ts'
import { addedLabel, addedNumbers } from '../../trackers/binds/added-values.ts'
import type { GroupValue } from '../../trackers/search/group-value.ts'
import type { Grouping, GroupKey } from './grouping.ts'
import { groupColumns, NO_VALUE_KEY } from './placed-sql.ts'

/**
 * CTEs over `grouped` (key columns, `count` and the columns of `more`): `listed` adds empty groups if requested,
 * `ordered` adds the sort columns.
 */
export function listedSql(grouping: Grouping, more: readonly RawBuilder<unknown>[]): RawBuilder<unknown>[] {
  const { values } = groupColumns(grouping)
  const ranks = grouping.keys.flatMap(({ value }, at) => {
    const column = sql`listed.${values[at]}`
    return [
      sql`case ${column} when ${NO_VALUE_KEY} then 'infinity' else ${rankSql(value, column)} end as ${sql.ref(`rank${at}`)}`,
      sql`${nameSql(value, column)} as ${sql.ref(`name${at}`)}`,
    ]
  })
  const isFilled = grouping.withEmpty && grouping.keys.some(({ value }) => value.kind === 'list')
  return [
    ...(isFilled ? filledSql(grouping, more) : [sql`listed as (select * from grouped)`]),
    sql`ordered as (select listed.*, ${sql.join(ranks)} from listed)`,
  ]
}

/** The cross product of each list value and all values of the other key. */
function filledSql(grouping: Grouping, more: readonly RawBuilder<unknown>[]): RawBuilder<unknown>[] {
  const { values } = groupColumns(grouping)
  const axes = grouping.keys.map((_, at) => sql.ref(`axis${at}`))
  const axisOf = (key: GroupKey, at: number) =>
    sql`${axes[at]} as (select ${values[at]} as value from grouped ${offeredSql(key.value)})`
  const columns = values.map((column, at) => sql`${axes[at]}.value as ${column}`)
  const isSame = values.map((column, at) => sql`grouped.${column} = ${axes[at]}.value`)
  const counted = [sql`coalesce(grouped.count, 0) as count`, ...more.map((column) => sql`grouped.${column}`)]
  return [
    ...grouping.keys.map(axisOf),
    sql`listed as (select ${sql.join([...columns, ...counted])} from ${sql.join(axes, sql` cross join `)}
      left join grouped on ${sql.join(isSame, sql` and `)})`,
  ]
}

function offeredSql(value: GroupValue): RawBuilder<unknown> {
  if (value.kind !== 'list') return sql`union select ${NO_VALUE_KEY} where false`
  const offered = value.values.flatMap(({ number, isHidden }) => (isHidden ? [] : [number]))
  const added = value.idOfAdded ? sql`union ${addedNumbers(value.field)}` : sql``
  return sql`union select unnest(${offered}::bigint[]) ${added}`
}

/** The numeric sort key of a value. */
function rankSql(value: GroupValue, column: RawBuilder<unknown>): RawBuilder<unknown> {
  if (value.kind === 'person') return sql`0::double precision`
  if (value.kind === 'date' || value.kind === 'parent') return sql`${column}::double precision`
  if (value.kind === 'open') return sql`(1 - ${column})::double precision`
  const numbers = value.values.map(({ number }) => number)
  return sql`coalesce(array_position(${numbers}::bigint[], ${column}), ${numbers.length + 1})::double precision`
}

/** The text sort key: the login of a person, or the label of an added list value. */
function nameSql(value: GroupValue, column: RawBuilder<unknown>): RawBuilder<unknown> {
  if (value.kind === 'person') return sql`coalesce(${loginByIdSql(column)}, '')`
  return value.kind === 'list' && value.idOfAdded
    ? sql`coalesce(${addedLabel(value.field, sql`nullif(${column}, ${NO_VALUE_KEY})`)}, '')`
    : sql`''::text`
}

/** The rows of `ordered` for the page, plus one to detect the next page. */
export function pageSql(grouping: Grouping, { limit, offset, after }: Pagination): RawBuilder<unknown> {
  const columns = orderOf(grouping)
  const behind = after
    ? sql`(${sql.join(columns.map(({ column }) => column))}) > (${sql.join(columns.map(({ type }, at) => sql`${String(after[at])}::${type}`))})`
    : sql`true`
  return sql`where ${behind} order by ${sql.join(columns.map(({ column }) => column))}
    limit ${limit + 1} offset ${after ? 0 : offset}`
}

/** The cursor position of a row of `ordered`, as texts. */
export function groupCursorSql(grouping: Grouping): RawBuilder<KeysetPosition> {
  return sql`array[${sql.join(orderOf(grouping).map(({ column }) => sql`(${column})::text`))}]`
}

/** The columns are never null and together unique per group. */
function orderOf({ keys, isByCount }: Grouping) {
  const count = isByCount ? [{ column: sql`(-ordered.count)`, type: sql`numeric` }] : []
  const ofKeys = keys.flatMap((_, at) => [
    { column: sql.ref(`ordered.rank${at}`), type: sql`double precision` },
    { column: sql.ref(`ordered.name${at}`), type: sql`text` },
    { column: sql.ref(`ordered.value${at}`), type: sql`bigint` },
  ])
  return [...count, ...ofKeys]
}
