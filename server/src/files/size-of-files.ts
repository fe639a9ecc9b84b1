import { type RawBuilder, sql } from 'kysely'

/** The total size of the files whose ids the subquery returns. */
export function sizeOfFiles(ids: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(select coalesce(sum(file.size), 0)::bigint from file where file.id in (${ids}))`
}
