import { type RawBuilder, sql } from 'kysely'
import { presentSnapshot } from '../../platform/database/snapshots.ts'
import type { Pagination } from '../../platform/http/pages.ts'
import { accessVersion } from '../../trackers/load-tracker.ts'
import type { Condition } from '../../trackers/search/condition.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import { fromTrackers } from '../../trackers/visibility.ts'
import { hiddenArtifacts, seesAllUnrestricted } from '../visibility.ts'
import { entryVersionsSql } from './entry-versions.ts'
import { afterCursorSql, orderSql, type SortOrder, sortCursorSql } from './order-sql.ts'

/** Up to this number, one index lookup per hit is faster than planning a statement for the value. */
const MAX_FEW_HITS = 2000
/** Deleted artifacts have no narrow index, and are read. */
const MAX_FEW_DELETED = 500

/** An order by id and a single list value: the value index alone finds the hits. */
export type SingleValue = Extract<Condition, { kind: 'chosen' }>

/** The value that the condition asks for; undefined if it asks for more, or if artifacts have to be read to sort them. */
export function singleValueIn(access: TrackerAccess, condition: Condition, order: SortOrder): SingleValue | undefined {
  const isSingle = condition.kind === 'chosen' && condition.ids.length === 1
  return isSingle && order.keys.length === 0 && seesAllUnrestricted(access) ? condition : undefined
}

/** The hits in the order of their ids: the index is read until the page is full. */
export function hitsInOrderSql(value: SingleValue, isVisible: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`select hit.id from (select value_index.artifact_id as id from value_index
      where value_index.field_id = ${value.field} and value_index.value = ${value.ids[0]}::bigint) hit
    cross join lateral (select from artifact where artifact.id = hit.id and ${isVisible} offset 0) seen`
}

/**
 * The page and the exact count of a value with few hits, from narrow indexes: only artifacts of the page are read, for
 * their row versions. The size is null if there are more hits, or many deleted artifacts. One text for all values, so it
 * is prepared: the plan looks up each hit, which is right for every value up to the limit. The subqueries around the
 * values hide them from the planner, so that it does not plan anew for a rare one. Hits are an array: as rows, each step
 * over them would take as long as finding them.
 */
export function fewHitsSql<Row>(
  accesses: readonly TrackerAccess[],
  access: TrackerAccess,
  { field, ids }: SingleValue,
  order: SortOrder,
  page: Pagination,
): RawBuilder<Row> {
  const { deleted, restricted } = hiddenArtifacts(access)
  const hitsOf = sql`select value_index.artifact_id as id from value_index
    where value_index.field_id = (select ${field}::bigint) and value_index.value = (select ${ids[0]}::bigint)`
  const isFew = sql`(select cardinality(counted.hits) <= ${sql.lit(MAX_FEW_HITS)}
    and cardinality(counted.deleted) <= ${sql.lit(MAX_FEW_DELETED)} from counted)`
  const hidden = restricted
    ? sql`union all select artifact.id from artifact where ${restricted}
        and artifact.id = any((select counted.hits from counted where ${isFew})::bigint[])`
    : sql``
  return sql<Row>`
    with counted as materialized (
      select array(${hitsOf} order by value_index.artifact_id limit ${sql.lit(MAX_FEW_HITS + 1)}) as hits,
        array(select artifact.id from artifact where ${deleted} limit ${sql.lit(MAX_FEW_DELETED + 1)}) as deleted
    ), hidden as materialized (
      select array(
        select gone.id from (select unnest(counted.deleted) as id from counted) gone
        where gone.id in (select unnest(counted.hits) from counted) ${hidden}) as ids
    ), page as materialized (
      select fitting.id, ${sortCursorSql(order, 'fitting')} as place from (${hitsOf}) fitting
      where ${isFew} and fitting.id <> all((select hidden.ids from hidden)::bigint[])
        and ${page.after ? afterCursorSql(order, page.after, 'fitting') : sql`true`} order by ${orderSql(order, 'fitting')}
      limit ${page.limit + 1} offset ${page.after ? 0 : page.offset}
    )
    select array(select ${accessVersion} from ${fromTrackers(accesses.map(({ tracker }) => tracker.id))} order by tracker.id) as stamps,
      case when ${isFew} then (select cardinality(counted.hits) from counted)::bigint
        - (select cardinality(hidden.ids) from hidden) end as size,
      (select coalesce(json_agg(page), '[]') from page) as found,
      ${entryVersionsSql(sql`select page.id from page`)} as versions, ${presentSnapshot} as snapshot`
}
