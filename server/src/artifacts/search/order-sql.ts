import { type RawBuilder, sql } from 'kysely'
import { loginByIdSql } from '../../accounts/users/user.ts'
import type { KeysetPosition } from '../../platform/http/pages.ts'
import type { SortKey, SortValue } from '../../trackers/search/condition.ts'
import type { FieldId, TrackerId } from '../../trackers/tracker.ts'
import { storedTextSql } from './sql-parts.ts'

/** The sort keys of a list, followed by the artifact id as a tie-breaker. */
export interface SortOrder {
  readonly keys: readonly SortKey[]
  /** The direction of the id, which is the default order. */
  readonly isDescending: boolean
  /** The tracker of each field, if a key means several fields. */
  readonly homes?: ReadonlyMap<FieldId, TrackerId>
}

interface Sorted {
  readonly value: RawBuilder<unknown>
  readonly isDescending: boolean
  /** The SQL type to cast a cursor text back to. */
  readonly type: RawBuilder<unknown>
  /** A column of the artifact that is not null. */
  readonly isNeverNull: boolean
}

/** The sorted row: `artifact`, or `fitting`, which has the id and the sort keys (`keysSql`). */
type Row = 'artifact' | 'fitting'

/** The columns of `fitting`, from the row of `artifact` in one of these trackers. */
export function keysSql({ keys, homes = new Map() }: SortOrder, trackers: ReadonlySet<TrackerId>): RawBuilder<unknown> {
  const values = keys.map((key, at) => sql`${sorted(key, homes, trackers).value} as ${sql.id(sortColumnName(at))}`)
  return sql.join([sql`artifact.id`, ...values])
}

export function sortColumnName(at: number): string {
  return `key_${at}`
}

/**
 * For `order by`. Empty values are last in both directions. A column without nulls does not say so: an index that is
 * read backwards has them first, and would not be used.
 */
export function orderSql(order: SortOrder, row: Row = 'artifact'): RawBuilder<unknown> {
  return sql.join(
    columnsOf(order, row).map(({ value, isDescending, isNeverNull }) => {
      const direction = isDescending ? sql`desc` : sql`asc`
      return isNeverNull ? sql`${value} ${direction}` : sql`${value} ${direction} nulls last`
    }),
  )
}

/** The cursor of the row as texts, which round-trip exactly. */
export function sortCursorSql(order: SortOrder, row: Row = 'artifact'): RawBuilder<unknown> {
  return sql`array[${sql.join(columnsOf(order, row).map(({ value }) => sql`(${value})::text`))}]`
}

/** True if the row comes after the cursor. */
export function afterCursorSql(order: SortOrder, place: KeysetPosition, row: Row = 'artifact'): RawBuilder<boolean> {
  const columns = columnsOf(order, row)
  const ways = columns.map((column, at) => {
    const equal = columns.slice(0, at).map((each, index) => isEqual(each, place[index] ?? null))
    return sql`(${sql.join([...equal, isBeyond(column, place[at] ?? null)], sql` and `)})`
  })
  const after = sql<boolean>`(${sql.join(ways, sql` or `)})`
  const [first, ...others] = columns
  // The bound of the first column follows from the rest; an index starts there, which no `or` allows.
  return first?.isNeverNull && others.length > 0 ? sql`(${isFrom(first, place[0] ?? null)} and ${after})` : after
}

function isEqual({ value, type }: Sorted, at: string | number | null): RawBuilder<boolean> {
  return at === null ? sql`${value} is null` : sql`${value} = ${String(at)}::${type}`
}

function isBeyond({ value, type, isDescending, isNeverNull }: Sorted, at: string | number | null): RawBuilder<boolean> {
  if (at === null) return sql`false`
  const isFurther = sql<boolean>`${value} ${isDescending ? sql`<` : sql`>`} ${String(at)}::${type}`
  return isNeverNull ? isFurther : sql`(${isFurther} or ${value} is null)`
}

function isFrom({ value, type, isDescending }: Sorted, at: string | number | null): RawBuilder<boolean> {
  return sql`${value} ${isDescending ? sql`<=` : sql`>=`} ${at === null ? null : String(at)}::${type}`
}

function columnsOf({ keys, isDescending, homes = new Map() }: SortOrder, row: Row): Sorted[] {
  const id = {
    value: sql.ref(`${row}.id`),
    type: sql`bigint`,
    isDescending: keys.length === 0 && isDescending,
    isNeverNull: true,
  }
  const values = keys.map((key, at) => {
    const made = sorted(key, homes)
    return row === 'artifact' ? made : { ...made, value: sql.ref(`fitting.${sortColumnName(at)}`) }
  })
  return [...values, id]
}

/** Skips fields of other trackers, which an artifact cannot have. */
function sorted(
  { by, or = [], isDescending }: SortKey,
  homes: NonNullable<SortOrder['homes']>,
  trackers?: ReadonlySet<TrackerId>,
): Sorted {
  const { value, type } = sortValueSql(by)
  if (or.length === 0) return { value, type, isDescending, isNeverNull: by.kind === 'fact' }
  const each = [by, ...or]
  const cases = each.flatMap((one) => {
    const home = homes.get(fieldIn(one))
    const isThere = home !== undefined && (trackers?.has(home) ?? true)
    return isThere ? [sql`when ${home}::bigint then ${comparable(one, each)}`] : []
  })
  const none = sql`null::${type}`
  return {
    value: cases.length > 0 ? sql`(case artifact.tracker_id ${sql.join(cases, sql` `)} else ${none} end)` : none,
    type,
    isDescending,
    isNeverNull: false,
  }
}

function fieldIn(by: SortValue): FieldId {
  if (!('field' in by)) throw new TypeError('What every artifact has is no field.')
  return typeof by.field === 'object' ? by.field.id : by.field
}

/** A day compares with instants as its beginning. */
function comparable(by: SortValue, among: readonly SortValue[]): RawBuilder<unknown> {
  const { value } = sortValueSql(by)
  const isDay = by.kind === 'number' && by.unit === 'day'
  return isDay && among.some((each) => each.kind === 'number' && each.unit === 'second')
    ? sql`(${value} * 86400)`
    : value
}

export function sortValueSql(by: SortValue): Pick<Sorted, 'value' | 'type'> {
  if (by.kind === 'number')
    return {
      value: sql`(select number_index.value from number_index where number_index.artifact_id = artifact.id
          and number_index.field_id = ${by.field})`,
      type: sql`double precision`,
    }
  if (by.kind === 'text')
    return {
      value: sql`(nullif(left(${storedTextSql(sql`artifact.field_values`, by.field)}, 255), '') collate waypost)`,
      type: sql`text`,
    }
  if (by.kind === 'place')
    return { value: sql`array_position(${by.ids}::bigint[], ${firstChosen(by.field)})`, type: sql`integer` }
  if (by.kind === 'login_of_chosen') return { value: loginByIdSql(firstChosen(by.field)), type: sql`text` }
  if (by.kind === 'login') return { value: loginByIdSql(sql.ref(`artifact.${by.fact}`)), type: sql`text` }
  return {
    value: sql.ref(`artifact.${by.fact}`),
    type: by.fact === 'submitted_on' || by.fact === 'last_modified_date' ? sql`timestamptz` : sql`bigint`,
  }
}

function firstChosen(field: number): RawBuilder<unknown> {
  return sql`(artifact.field_values -> ${String(field)} ->> 0)::bigint`
}
