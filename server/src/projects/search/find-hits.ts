import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { isStatementTimeout } from '../../platform/database/database-errors.ts'
import { alwaysReplanHint } from '../../platform/database/prepare-statements.ts'
import { runExpensive } from '../../platform/http/query-cost.ts'
import type { Pagination, KeysetPosition } from '../../platform/http/pages.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { memberships } from '../groups/memberships.ts'
import type { ProjectId } from '../project.ts'
import type { SearchQuery, SearchedKind } from './searched-kind.ts'
import { isIndexed, searchWords } from './search-terms-sql.ts'

export interface Hit {
  readonly type: SearchedKind['type']
  readonly id: number
  readonly project_id: ProjectId
  readonly place: KeysetPosition
}

interface Hits {
  readonly size: number
  readonly rows: readonly Hit[]
}

/** One page plus one row of hits from all kinds, sorted, and the total. */
export async function findHits(
  searchQuery: SearchQuery,
  kinds: readonly SearchedKind[],
  page: Pagination,
): Promise<Hits> {
  const parts: RawBuilder<unknown>[] = []
  for (const kind of kinds) {
    const found = await kind.find(searchQuery)
    if (found)
      parts.push(sql`(select ${kind.type}::text as type, id, project_id, rank, changed_on from (${found}) found)`)
  }
  if (parts.length === 0) return { size: 0, rows: [] }
  const { rows } = await runWithTimeLimit(
    searchQuery,
    sql<Hits>`${alwaysReplanHint}
    with me as materialized (${memberships(searchQuery.viewer)}), hit as materialized (${sql.join(parts, sql` union all `)})
    select (select count(*) from hit) as size, (
      select coalesce(json_agg(shown), '[]') from (
        select type, id, project_id, array[rank::text, changed_on::text, id::text, type] as place
        from hit where ${isAfterCursor(page.after)} order by rank, changed_on desc, id, type
        limit ${page.limit + 1} offset ${page.after ? 0 : page.offset}
      ) shown) as rows`,
  )
  return rows[0] ?? { size: 0, rows: [] }
}

/** Whether the row follows the cursor (keyset pagination). */
function isAfterCursor(after: KeysetPosition | undefined): RawBuilder<boolean> {
  if (!after) return sql`true`
  const [rank, changed_on, id, type] = after
  return sql`(rank, ${changed_on}::timestamptz - changed_on, id, type)
    > (${rank}::integer, interval '0', ${id}::bigint, ${type}::text)`
}

const SHORT_TEXT_TIMEOUT_MS = 2000

/** Limits the search time; words that no index supports get a shorter limit. */
async function runWithTimeLimit(searchQuery: SearchQuery, statement: RawBuilder<Hits>) {
  const isShort = !searchWords(searchQuery.terms).some(isIndexed)
  if (isShort) await limitTime(searchQuery.tx, SHORT_TEXT_TIMEOUT_MS)
  const run = () => statement.execute(searchQuery.tx)
  try {
    return await (isShort ? runExpensive(run) : run())
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    throw isShort ? new ApiError('query_too_expensive', { cause: 'short_text' }) : new ApiError('query_too_expensive')
  }
}

async function limitTime(tx: Tx, milliseconds: number): Promise<void> {
  await sql`select set_config('statement_timeout', ${String(milliseconds)}, true)`.execute(tx)
}
