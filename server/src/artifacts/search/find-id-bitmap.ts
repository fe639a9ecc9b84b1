import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { alwaysReplanHint } from '../../platform/database/prepare-statements.ts'
import type { KeysetPosition } from '../../platform/http/pages.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import { budgetOf } from './budget.ts'
import { membershipsCte, splitByTracker, rowsSql, type Search } from './find-ids.ts'
import type { Match } from './match-artifacts.ts'
import { afterCursorSql, orderSql, sortCursorSql } from './order-sql.ts'
import { runSearch } from './run-search.ts'

/** A bitmap of 32 consecutive ids. */
export interface IdBitmapWord {
  readonly word: number
  readonly bits: number
}

/** All matching ids, packed by the database so that few rows are sent. */
export async function findIdBitmap(tx: Tx, access: TrackerAccess, search: Search): Promise<readonly IdBitmapWord[]> {
  const { condition, asOf } = search
  const [me] = membershipsCte([access], condition)
  const statement = sql<IdBitmapWord>`${alwaysReplanHint} ${me ? sql`with ${me}` : sql``}
    select fitting.id >> 5 as word, bit_or(1::bigint << (fitting.id & 31)::integer) as bits
    from (${rowsSql(splitByTracker([access], condition), asOf)}) fitting group by fitting.id >> 5`
  const { rows } = await runSearch(tx, statement, budgetOf(condition, asOf))
  return rows
}

/** The next matches after a cursor, in order, without a count; undefined starts at the beginning. */
export async function findNextMatches(
  tx: Tx,
  access: TrackerAccess,
  { condition, order, asOf }: Search,
  after: KeysetPosition | undefined,
  limit: number,
): Promise<readonly Match[]> {
  const [me] = membershipsCte([access], condition)
  const statement = sql<Match>`${alwaysReplanHint} ${me ? sql`with ${me}` : sql``}
    select fitting.id, ${sortCursorSql(order, 'fitting')} as place
    from (${rowsSql(splitByTracker([access], condition), asOf, order)}) fitting
    where ${after ? afterCursorSql(order, after, 'fitting') : sql`true`}
    order by ${orderSql(order, 'fitting')} limit ${limit}`
  const { rows } = await runSearch(tx, statement, budgetOf(condition, asOf))
  return rows
}
