import { type RawBuilder, sql } from 'kysely'

/** `from` is inclusive, `to` is exclusive. */
export interface TimeRange {
  from?: Date | undefined
  to?: Date | undefined
}

/** Conjunction; an empty list is true. */
export function allOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`
}

export function isWithinRange(column: RawBuilder<unknown>, { from, to }: TimeRange): RawBuilder<boolean>[] {
  return [...(from ? [sql<boolean>`${column} >= ${from}`] : []), ...(to ? [sql<boolean>`${column} < ${to}`] : [])]
}
