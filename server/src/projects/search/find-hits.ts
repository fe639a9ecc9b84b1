import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { ranOutOfTime } from '../../platform/database/faults.ts'
import { plannedAnew } from '../../platform/database/prepare-statements.ts'
import type { Page, Place } from '../../platform/http/pages.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { memberships } from '../groups/memberships.ts'
import type { ProjectId } from '../project.ts'
import type { Question, SearchedKind } from './searched-kind.ts'
import { isIndexed, partsOf } from './words-sql.ts'

export interface Hit {
  readonly type: SearchedKind['type']
  readonly id: number
  readonly project_id: ProjectId
  readonly place: Place
}

interface Hits {
  readonly size: number
  readonly rows: readonly Hit[]
}

/** One page more by one row of what all kinds have, in one order, and how many there are in all. */
export async function findHits(question: Question, kinds: readonly SearchedKind[], page: Page): Promise<Hits> {
  const parts: RawBuilder<unknown>[] = []
  for (const kind of kinds) {
    const found = await kind.find(question)
    if (found)
      parts.push(sql`(select ${kind.type}::text as type, id, project_id, rank, changed_on from (${found}) found)`)
  }
  if (parts.length === 0) return { size: 0, rows: [] }
  const { rows } = await inTime(
    question,
    sql<Hits>`${plannedAnew}
    with me as materialized (${memberships(question.viewer)}), hit as materialized (${sql.join(parts, sql` union all `)})
    select (select count(*) from hit) as size, (
      select coalesce(json_agg(shown), '[]') from (
        select type, id, project_id, array[rank::text, changed_on::text, id::text, type] as place
        from hit where ${behind(page.after)} order by rank, changed_on desc, id, type
        limit ${page.limit + 1} offset ${page.after ? 0 : page.offset}
      ) shown) as rows`,
  )
  return rows[0] ?? { size: 0, rows: [] }
}

/** Whether the row comes behind a place in the order. */
function behind(after: Place | undefined): RawBuilder<boolean> {
  if (!after) return sql`true`
  const [rank, changed_on, id, type] = after
  return sql`(rank, ${changed_on}::timestamptz - changed_on, id, type)
    > (${rank}::integer, interval '0', ${id}::bigint, ${type}::text)`
}

const SHORT_BUDGET = 2000

/** Words that are in everything take too long; those that no index knows are not even tried for as long. */
async function inTime(question: Question, statement: RawBuilder<Hits>) {
  const isShort = !partsOf(question.terms).some(isIndexed)
  if (isShort) await limitTime(question.tx, SHORT_BUDGET)
  try {
    return await statement.execute(question.tx)
  } catch (error) {
    if (!ranOutOfTime(error)) throw error
    throw isShort ? new ApiError('query_too_expensive', { cause: 'short_text' }) : new ApiError('query_too_expensive')
  }
}

async function limitTime(tx: Tx, milliseconds: number): Promise<void> {
  await sql`select set_config('statement_timeout', ${String(milliseconds)}, true)`.execute(tx)
}
