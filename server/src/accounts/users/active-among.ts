import { type RawBuilder, sql } from 'kysely'

/** The accounts whose ids a query returns and that can sign in, as a `from` item: (id). */
export function activeAmong(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select account.id from account where account.id in (${ids}) and account.status in ('A', 'R'))`
}
