import { type RawBuilder, sql } from 'kysely'

/** How many bytes the files have together whose ids a query gives. */
export function sizeOfFiles(ids: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(select coalesce(sum(file.size), 0)::bigint from file where file.id in (${ids}))`
}
