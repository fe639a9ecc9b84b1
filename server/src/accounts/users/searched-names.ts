import { type RawBuilder, sql } from 'kysely'

/** Login and real name of `account` without case and accents, as the trigram index has them. */
export const SEARCHED_NAMES = sql<string>`searchable(account.search)`

/** A given text in the same form, as a literal part of a LIKE pattern. */
export function searchedText(text: string): RawBuilder<string> {
  return sql<string>`regexp_replace(searchable(folded(${text}::text)), '([\\\\%_])', '\\\\\\1', 'g')`
}
