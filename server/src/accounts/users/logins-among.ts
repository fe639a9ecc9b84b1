import { type RawBuilder, sql } from 'kysely'

/** The accounts whose ids a query returns, as a `from` item: (id, login, is_restricted). */
export function loginsAmong(ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select account.id, account.login, account.status = 'R' as is_restricted from account
    where account.id in (${ids}))`
}
