import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { plannedAnew } from '../../platform/database/prepare-statements.ts'
import type { Page, Place } from '../../platform/http/pages.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { stamp } from '../../trackers/load-tracker.ts'
import type { Sight } from '../../trackers/sight.ts'
import { oneTracker } from '../../trackers/visibility.ts'
import { budgetOf } from '../search/budget.ts'
import { asksForLinks, conditionSql } from '../search/condition-sql.ts'
import type { Search } from '../search/find-ids.ts'
import { runSearch } from '../search/run-search.ts'
import { inSight } from '../visibility.ts'
import type { Grouping } from './grouping.ts'
import { listedSql, pageSql, placeSql } from './listed-sql.ts'
import { columnsOf, NONE, placedSql } from './placed-sql.ts'
import { NOW } from './source-sql.ts'

/** What a group is of, and where it stands. */
export interface FoundKey {
  /** Of each key; null: there is no value. */
  readonly values: readonly (number | null)[]
  /** Of each key, what it is called if it is a value that somebody has added. */
  readonly names: readonly string[]
  readonly place: Place
}

export interface Counted {
  readonly count: number
  /** Null: nothing in it has a number. */
  readonly sums: readonly (number | null)[]
}

export interface FoundGroups {
  /** What the tracker was when this was found out. */
  readonly stamp: string
  readonly total: number
  /** How many groups there are. */
  readonly size: number
  /** One more than the page has, if there is one. */
  readonly groups: readonly (FoundKey & Counted)[]
}

/** As long as any other statement may take. */
const BUDGET = { cause: 'groups', milliseconds: 5000 } as const

/** How many artifacts that fit, and that the viewer sees, are in each group: one statement, so of one moment. */
export async function findGroups(
  db: Db | Tx,
  sight: Sight,
  search: Search,
  grouping: Grouping,
  page: Page,
): Promise<FoundGroups | undefined> {
  const budget = {
    ...(budgetOf(search.condition, search.asOf) ?? BUDGET),
    withoutLoops: !asksForLinks(search.condition) && !search.asOf, // Both look at one thing after the other by their nature.
  }
  const { rows } = await runSearch(db, groupsStatement(sight, search, grouping, page), budget)
  return rows[0]
}

function groupsStatement(sight: Sight, search: Search, grouping: Grouping, page: Page): RawBuilder<FoundGroups> {
  const { values, sums } = columnsOf(grouping)
  const added = sums.map((column) => sql`sum(${column}) as ${column}`)
  const before = [
    ...meSql(sight, search),
    sql`fitting as (select artifact.id, artifact.submitted_by, artifact.last_update_by, artifact.submitted_on,
      artifact.last_modified_date from artifact where ${fitsSql(sight, search)})`,
    sql`placed as (${placedSql(grouping, NOW)})`,
    sql`grouped as (select ${sql.join([...values, sql`count(*) as count`, ...added])} from placed
      group by ${sql.join(values)})`,
    ...listedSql(grouping, sums),
  ]
  return sql<FoundGroups>`${plannedAnew} with ${sql.join(before)}
    select ${stamp} as stamp, (select count(*) from fitting) as total, (select count(*) from listed) as size,
      (select coalesce(json_agg(page), '[]') from (
        select ${foundKeySql(grouping)}, ordered.count, ${arraySql(sums.map((column) => sql`ordered.${column}`))} as sums
        from ordered ${pageSql(grouping, page)}) page) as groups
    from ${oneTracker(sight.tracker.id)}`
}

function fitsSql(sight: Sight, { condition, asOf }: Search): RawBuilder<boolean> {
  return sql`${inSight(sight)} and ${conditionSql(condition, { viewer: sight.viewer, asOf })}
    and ${asOf ? sql`artifact.submitted_on <= ${asOf}` : sql`true`}`
}

/** The row of `me`, where a condition asks for it. */
export function meSql({ viewer }: Sight, { condition }: Search): RawBuilder<unknown>[] {
  return asksForLinks(condition) ? [sql`me as materialized (${memberships(viewer)})`] : []
}

/** The members of `FoundKey`, of a row of `ordered`. */
export function foundKeySql(grouping: Grouping): RawBuilder<unknown> {
  const values = grouping.keys.map((_, at) => sql`nullif(${sql.ref(`ordered.value${at}`)}, ${NONE})`)
  const names = grouping.keys.map((_, at) => sql.ref(`ordered.name${at}`))
  return sql`array[${sql.join(values)}] as values, json_build_array(${sql.join(names)}) as names, ${placeSql(grouping)} as place`
}

function arraySql(columns: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`array[${columns.length === 0 ? sql`` : sql.join(columns)}]::numeric[]`
}
