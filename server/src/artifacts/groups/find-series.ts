import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { plannedAnew } from '../../platform/database/prepare-statements.ts'
import type { Page } from '../../platform/http/pages.ts'
import { stamp } from '../../trackers/load-tracker.ts'
import type { Sight } from '../../trackers/sight.ts'
import { oneTracker } from '../../trackers/visibility.ts'
import type { Search } from '../search/find-ids.ts'
import { runSearch } from '../search/run-search.ts'
import { type FoundKey, foundKeySql, meSql } from './find-groups.ts'
import type { Grouping } from './grouping.ts'
import { listedSql, pageSql } from './listed-sql.ts'
import { columnsOf, placedSql } from './placed-sql.ts'
import { fittingVersionsSql, heldIn, versionsSql } from './past-versions-sql.ts'
import { thenIn } from './source-sql.ts'

export interface FoundSeries {
  readonly stamp: string
  /** At the end of each step. */
  readonly totals: readonly number[]
  /** How many groups there are at the end of any step. */
  readonly size: number
  readonly groups: readonly (FoundKey & {
    /** The number of the step from 1, the count, and each sum. */
    readonly steps: readonly (readonly [step: number, count: number, ...sums: (number | null)[]])[]
  })[]
}

const BUDGET = { cause: 'as_of', milliseconds: 5000 } as const

/** The same counts at the end of each of these steps, of what was then. Rights are those of today. */
export async function findSeries(
  db: Db | Tx,
  sight: Sight,
  search: Search,
  grouping: Grouping,
  ends: readonly Date[],
  page: Page,
): Promise<FoundSeries | undefined> {
  const { rows } = await runSearch(db, seriesStatement(sight, search, grouping, ends, page), BUDGET)
  return rows[0]
}

/**
 * Each version is looked at once, however many steps it was the current one at: it comes at the first of them and goes
 * after the last, and what has come and gone adds up to what was there.
 */
function seriesStatement(
  sight: Sight,
  search: Search,
  grouping: Grouping,
  ends: readonly Date[],
  page: Page,
): RawBuilder<FoundSeries> {
  const { values, sums } = columnsOf(grouping)
  const isSame = values.map((column) => sql`change.${column} = page.${column}`)
  const before = [
    ...meSql(sight, search),
    sql`step as (select number, at from unnest(${ends}::timestamptz[]) with ordinality as step (at, number))`,
    sql`version as (${versionsSql(sight, grouping, ends)})`,
    sql`fitting as materialized (${fittingVersionsSql(sight, search, grouping)})`,
    sql`placed as materialized (${placedSql(grouping, thenIn(heldIn(grouping)), sql`artifact.first`, sql`artifact.until`)})`,
    sql`grouped as (select ${sql.join([...values, sql`sum(until - first) as count`])} from placed
      group by ${sql.join(values)})`,
    ...listedSql(grouping, []),
    sql`page as materialized (select row_number() over () as position, found.* from (
      select ${foundKeySql(grouping)}, ${sql.join(values.map((column) => sql`ordered.${column}`))}
      from ordered ${pageSql(grouping, page)}) found)`,
    sql`change as (${changesSql(grouping)})`,
    sql`stepped as (select page.position, step.number, ${sql.join(countedSql(grouping))}
      from page cross join step left join change
        on change.number = step.number and ${sql.join(isSame, sql` and `)}
      window until as (partition by page.position order by step.number))`,
    sql`series as (select position, json_agg(json_build_array(${sql.join([sql`number`, sql`count`, ...sums])})
      order by number) filter (where count > 0 or ${grouping.withEmpty}) as steps from stepped group by position)`,
  ]
  return sql<FoundSeries>`${plannedAnew} with ${sql.join(before)}
    select ${stamp} as stamp, (select count(*) from listed) as size, array(${totalsSql}) as totals,
      (select coalesce(json_agg(found), '[]') from (
        select page.values, page.names, page.place, coalesce(series.steps, '[]') as steps
        from page left join series using (position) order by page.position) found) as groups
    from ${oneTracker(sight.tracker.id)}`
}

/** By how much each group grows at each step. */
function changesSql(grouping: Grouping): RawBuilder<unknown> {
  const { values, sums } = columnsOf(grouping)
  const added = sums.flatMap((column, at) => [
    sql`sum(${column} * amount) as ${column}`,
    sql`sum(amount) filter (where ${column} is not null) as ${sql.ref(`numbers${at}`)}`,
  ])
  return sql`select ${sql.join([sql`number`, ...values, sql`sum(amount) as amount`, ...added])} from (
      select first as number, 1 as amount, placed.* from placed union all select until, -1, placed.* from placed) each
    group by ${sql.join([sql`number`, ...values])}`
}

/** What there is of each group at each step. */
function countedSql(grouping: Grouping): RawBuilder<unknown>[] {
  const soFar = (column: RawBuilder<unknown>) => sql`sum(coalesce(change.${column}, 0)) over until`
  const sums = columnsOf(grouping).sums.map(
    (column, at) => sql`case when ${soFar(sql.ref(`numbers${at}`))} > 0 then ${soFar(column)} end as ${column}`,
  )
  return [sql`${soFar(sql`amount`)} as count`, ...sums]
}

/** How many artifacts there are at each step, each counted once. */
const totalsSql = sql`select coalesce(sum(sum(came.amount)) over (order by step.number), 0)::bigint
  from step left join (select first as number, 1 as amount from fitting union all select until, -1 from fitting) came
    using (number)
  group by step.number order by step.number`
