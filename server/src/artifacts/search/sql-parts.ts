import { type RawBuilder, sql } from 'kysely'
import type { StoredTextOf } from '../../trackers/search/condition.ts'

/** A `like` pattern that contains the words, with wildcards escaped. */
export function likePattern(words: string): string {
  return `%${words.replace(/[\\%_]/g, '\\$&')}%`
}

/** A string field may have been converted to a text field, or the reverse; stored values keep their form. */
export function storedTextSql(
  values: RawBuilder<unknown>,
  { id, member = 'content' }: StoredTextOf,
): RawBuilder<string | null> {
  return sql`coalesce(${values} -> ${String(id)} ->> ${member}, ${values} ->> ${String(id)})`
}

interface Bounds {
  readonly from?: number | Date
  readonly to?: number | Date
  readonly isAfter?: boolean
  readonly isBefore?: boolean
}

/** Never null: a missing value is not within the bounds. */
export function isWithinBounds(
  value: RawBuilder<unknown>,
  { from, to, isAfter, isBefore }: Bounds,
): RawBuilder<boolean> {
  const parts = [sql`${value} is not null`]
  if (from !== undefined) parts.push(isAfter ? sql`${value} > ${from}` : sql`${value} >= ${from}`)
  if (to !== undefined) parts.push(isBefore ? sql`${value} < ${to}` : sql`${value} <= ${to}`)
  return sql`(${sql.join(parts, sql` and `)})`
}

/** `offset 0` prevents a join or hash, so the subquery runs per row. */
export function existsSql(rows: RawBuilder<unknown>, { isOfFew }: { readonly isOfFew?: true }): RawBuilder<boolean> {
  return isOfFew ? sql`exists (select from ${rows} offset 0)` : sql`exists (select from ${rows})`
}
