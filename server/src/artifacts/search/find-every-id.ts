import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { plannedAnew } from '../../platform/database/prepare-statements.ts'
import type { Place } from '../../platform/http/pages.ts'
import type { Sight } from '../../trackers/sight.ts'
import { budgetOf } from './budget.ts'
import { meSql, partsOf, rowsSql, type Search } from './find-ids.ts'
import type { Match } from './match-artifacts.ts'
import { behindSql, orderSql, placeSql } from './order-sql.ts'
import { runSearch } from './run-search.ts'

/** Thirty-two ids that follow one another: which of them fit, a bit for each. */
export interface IdWord {
  readonly word: number
  readonly bits: number
}

/** All that fit, however many: put together by the database, so that few rows come. */
export async function findEveryId(tx: Tx, sight: Sight, search: Search): Promise<readonly IdWord[]> {
  const { condition, asOf } = search
  const [me] = meSql([sight], condition)
  const statement = sql<IdWord>`${plannedAnew} ${me ? sql`with ${me}` : sql``}
    select fitting.id >> 5 as word, bit_or(1::bigint << (fitting.id & 31)::integer) as bits
    from (${rowsSql(partsOf([sight], condition), asOf)}) fitting group by fitting.id >> 5`
  const { rows } = await runSearch(tx, statement, budgetOf(condition, asOf))
  return rows
}

/** The next ones behind a place, in order, without a look at how many there are; undefined: the first ones. */
export async function findNext(
  tx: Tx,
  sight: Sight,
  { condition, order, asOf }: Search,
  after: Place | undefined,
  limit: number,
): Promise<readonly Match[]> {
  const [me] = meSql([sight], condition)
  const statement = sql<Match>`${plannedAnew} ${me ? sql`with ${me}` : sql``}
    select fitting.id, ${placeSql(order, 'fitting')} as place
    from (${rowsSql(partsOf([sight], condition), asOf, order)}) fitting
    where ${after ? behindSql(order, after, 'fitting') : sql`true`}
    order by ${orderSql(order, 'fitting')} limit ${limit}`
  const { rows } = await runSearch(tx, statement, budgetOf(condition, asOf))
  return rows
}
