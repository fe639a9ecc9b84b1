import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { alwaysReplanHint } from '../../platform/database/prepare-statements.ts'
import type { Pagination, KeysetPosition } from '../../platform/http/pages.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { accessVersion } from '../../trackers/load-tracker.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import { fromTracker } from '../../trackers/visibility.ts'
import { budgetOf } from '../search/budget.ts'
import { asksForLinks, conditionSql } from '../search/condition-sql.ts'
import type { Search } from '../search/find-ids.ts'
import { runSearch } from '../search/run-search.ts'
import { isVisibleInTracker } from '../visibility.ts'
import { type Grouping, isByParent } from './grouping.ts'
import { listedSql, pageSql, groupCursorSql } from './listed-sql.ts'
import { groupColumns, NO_VALUE_KEY, placedSql } from './placed-sql.ts'
import { CURRENT_VALUES } from './source-sql.ts'

/** The key values of a group and its cursor position. */
export interface FoundKey {
  /** One per key; null for no value. */
  readonly values: readonly (number | null)[]
  /** One per key: the label, if the value was added to an open list. */
  readonly names: readonly string[]
  readonly place: KeysetPosition
}

export interface Counted {
  readonly count: number
  /** Null if no artifact of the group has a number. */
  readonly sums: readonly (number | null)[]
}

export interface FoundGroups {
  /** The access version of the tracker in the same snapshot. */
  readonly stamp: string
  readonly total: number
  /** The number of groups. */
  readonly size: number
  /** One more than the page size, if there is a next page. */
  readonly groups: readonly (FoundKey & Counted)[]
}

/** The usual statement timeout. */
const BUDGET = { cause: 'groups', milliseconds: 5000 } as const

/** Counts the matching visible artifacts per group, in one statement and therefore one snapshot. */
export async function findGroups(
  db: Db | Tx,
  access: TrackerAccess,
  search: Search,
  grouping: Grouping,
  page: Pagination,
): Promise<FoundGroups | undefined> {
  const budget = {
    ...(budgetOf(search.condition, search.asOf) ?? BUDGET),
    withoutLoops: !asksForLinks(search.condition) && !isByParent(grouping) && !search.asOf, // Link conditions and past states need nested loops.
  }
  const { rows } = await runSearch(db, groupsStatement(access, search, grouping, page), budget)
  return rows[0]
}

function groupsStatement(
  access: TrackerAccess,
  search: Search,
  grouping: Grouping,
  page: Pagination,
): RawBuilder<FoundGroups> {
  const { values, sums } = groupColumns(grouping)
  const added = sums.map((column) => sql`sum(${column}) as ${column}`)
  const before = [
    ...groupMembershipsCte(access, search, grouping),
    sql`fitting as (select artifact.id, artifact.submitted_by, artifact.last_update_by, artifact.submitted_on,
      artifact.last_modified_date from artifact where ${fitsSql(access, search)})`,
    sql`placed as (${placedSql(grouping, CURRENT_VALUES)})`,
    sql`grouped as (select ${sql.join([...values, sql`count(*) as count`, ...added])} from placed
      group by ${sql.join(values)})`,
    ...listedSql(grouping, sums),
  ]
  return sql<FoundGroups>`${alwaysReplanHint} with ${sql.join(before)}
    select ${accessVersion} as stamp, (select count(*) from fitting) as total, (select count(*) from listed) as size,
      (select coalesce(json_agg(page), '[]') from (
        select ${foundKeySql(grouping)}, ordered.count, ${arraySql(sums.map((column) => sql`ordered.${column}`))} as sums
        from ordered ${pageSql(grouping, page)}) page) as groups
    from ${fromTracker(access.tracker.id)}`
}

function fitsSql(access: TrackerAccess, { condition, asOf }: Search): RawBuilder<boolean> {
  return sql`${isVisibleInTracker(access)} and ${conditionSql(condition, { viewer: access.viewer, asOf })}
    and ${asOf ? sql`artifact.submitted_on <= ${asOf}` : sql`true`}`
}

/** The CTE `me`, if a condition or a key needs it. */
export function groupMembershipsCte(
  { viewer }: TrackerAccess,
  { condition }: Search,
  grouping: Grouping,
): RawBuilder<unknown>[] {
  return asksForLinks(condition) || isByParent(grouping) ? [sql`me as materialized (${memberships(viewer)})`] : []
}

/** The members of `FoundKey` for a row of `ordered`. */
export function foundKeySql(grouping: Grouping): RawBuilder<unknown> {
  const values = grouping.keys.map((_, at) => sql`nullif(${sql.ref(`ordered.value${at}`)}, ${NO_VALUE_KEY})`)
  const names = grouping.keys.map((_, at) => sql.ref(`ordered.name${at}`))
  return sql`array[${sql.join(values)}] as values, json_build_array(${sql.join(names)}) as names, ${groupCursorSql(grouping)} as place`
}

function arraySql(columns: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`array[${columns.length === 0 ? sql`` : sql.join(columns)}]::numeric[]`
}
