import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { alwaysReplanHint } from '../../platform/database/prepare-statements.ts'
import type { Pagination } from '../../platform/http/pages.ts'
import { accessVersion } from '../../trackers/load-tracker.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import { fromTracker } from '../../trackers/visibility.ts'
import type { Search } from '../search/find-ids.ts'
import { runSearch } from '../search/run-search.ts'
import { type FoundKey, foundKeySql, groupMembershipsCte } from './find-groups.ts'
import type { Grouping } from './grouping.ts'
import { listedSql, pageSql } from './listed-sql.ts'
import { groupColumns, placedSql } from './placed-sql.ts'
import { fittingVersionsSql, heldIn, versionsSql } from './past-versions-sql.ts'
import { pastValues } from './source-sql.ts'

export interface FoundSeries {
  readonly stamp: string
  /** One per step, at its end. */
  readonly totals: readonly number[]
  /** The number of groups over all steps. */
  readonly size: number
  readonly groups: readonly (FoundKey & {
    /** The step number from 1, the count, and each sum. */
    readonly steps: readonly (readonly [step: number, count: number, ...sums: (number | null)[]])[]
  })[]
}

const BUDGET = { cause: 'as_of', milliseconds: 5000 } as const

/** The same counts at the end of each step, from the values of that time. Current permissions apply. */
export async function findSeries(
  db: Db | Tx,
  access: TrackerAccess,
  search: Search,
  grouping: Grouping,
  ends: readonly Date[],
  page: Pagination,
): Promise<FoundSeries | undefined> {
  const { rows } = await runSearch(db, seriesStatement(access, search, grouping, ends, page), BUDGET)
  return rows[0]
}

/**
 * Each version is read once, however many steps it spans: it adds one at its first step and subtracts one after its
 * last. The running sum gives the count per step.
 */
function seriesStatement(
  access: TrackerAccess,
  search: Search,
  grouping: Grouping,
  ends: readonly Date[],
  page: Pagination,
): RawBuilder<FoundSeries> {
  const { values, sums } = groupColumns(grouping)
  const isSame = values.map((column) => sql`change.${column} = page.${column}`)
  const before = [
    ...groupMembershipsCte(access, search, grouping),
    sql`step as (select number, at from unnest(${ends}::timestamptz[]) with ordinality as step (at, number))`,
    sql`version as (${versionsSql(access, grouping, ends)})`,
    sql`fitting as materialized (${fittingVersionsSql(access, search, grouping)})`,
    sql`placed as materialized (${placedSql(grouping, pastValues(heldIn(grouping)), sql`artifact.first`, sql`artifact.until`)})`,
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
  return sql<FoundSeries>`${alwaysReplanHint} with ${sql.join(before)}
    select ${accessVersion} as stamp, (select count(*) from listed) as size, array(${totalsSql}) as totals,
      (select coalesce(json_agg(found), '[]') from (
        select page.values, page.names, page.place, coalesce(series.steps, '[]') as steps
        from page left join series using (position) order by page.position) found) as groups
    from ${fromTracker(access.tracker.id)}`
}

/** The change of each group at each step. */
function changesSql(grouping: Grouping): RawBuilder<unknown> {
  const { values, sums } = groupColumns(grouping)
  const added = sums.flatMap((column, at) => [
    sql`sum(${column} * amount) as ${column}`,
    sql`sum(amount) filter (where ${column} is not null) as ${sql.ref(`numbers${at}`)}`,
  ])
  return sql`select ${sql.join([sql`number`, ...values, sql`sum(amount) as amount`, ...added])} from (
      select first as number, 1 as amount, placed.* from placed union all select until, -1, placed.* from placed) each
    group by ${sql.join([sql`number`, ...values])}`
}

/** The running count of each group at each step. */
function countedSql(grouping: Grouping): RawBuilder<unknown>[] {
  const soFar = (column: RawBuilder<unknown>) => sql`sum(coalesce(change.${column}, 0)) over until`
  const sums = groupColumns(grouping).sums.map(
    (column, at) => sql`case when ${soFar(sql.ref(`numbers${at}`))} > 0 then ${soFar(column)} end as ${column}`,
  )
  return [sql`${soFar(sql`amount`)} as count`, ...sums]
}

/** The number of artifacts at each step, each counted once. */
const totalsSql = sql`select coalesce(sum(sum(came.amount)) over (order by step.number), 0)::bigint
  from step left join (select first as number, 1 as amount from fitting union all select until, -1 from fitting) came
    using (number)
  group by step.number order by step.number`
