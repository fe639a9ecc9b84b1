import { type RawBuilder, sql } from 'kysely'
import type { StoredTextOf } from '../../trackers/search/condition.ts'

/** A pattern for `like`: the words somewhere, each of their characters as it is. */
export function contains(words: string): string {
  return `%${words.replace(/[\\%_]/g, '\\$&')}%`
}

/** A field may have been a line before it became a text, or the other way round: what is stored stays as it was. */
export function textIn(
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

/** Never unknown: what is not there is not within. */
export function within(value: RawBuilder<unknown>, { from, to, isAfter, isBefore }: Bounds): RawBuilder<boolean> {
  const parts = [sql`${value} is not null`]
  if (from !== undefined) parts.push(isAfter ? sql`${value} > ${from}` : sql`${value} >= ${from}`)
  if (to !== undefined) parts.push(isBefore ? sql`${value} < ${to}` : sql`${value} <= ${to}`)
  return sql`(${sql.join(parts, sql` and `)})`
}
