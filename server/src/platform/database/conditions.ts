import { type RawBuilder, sql } from 'kysely'

/** From one moment on, until just before another. */
export interface Range {
  from?: Date | undefined
  to?: Date | undefined
}

/** Everything of a list must hold; nothing asked for holds always. */
export function allOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`
}

export function within(column: RawBuilder<unknown>, { from, to }: Range): RawBuilder<boolean>[] {
  return [...(from ? [sql<boolean>`${column} >= ${from}`] : []), ...(to ? [sql<boolean>`${column} < ${to}`] : [])]
}
