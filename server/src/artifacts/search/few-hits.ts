import { type RawBuilder, sql } from 'kysely'
import type { Pagination } from '../../platform/http/pages.ts'
import { accessVersion } from '../../trackers/load-tracker.ts'
import type { Condition } from '../../trackers/search/condition.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import { fromTrackers } from '../../trackers/visibility.ts'
import { hiddenArtifacts, seesAllUnrestricted } from '../visibility.ts'
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
 * The page and the exact count of a value with few hits, from narrow indexes: no artifact is read. The size is null if
 * there are more hits, or many deleted artifacts. One text for all values, so it is prepared: the plan looks up each
 * hit, which is right for every value up to the limit. The subqueries around the values hide them from the planner, so
 * that it does not plan anew for a rare one.
 */
export function fewHitsSql<Row>(
  accesses: readonly TrackerAccess[],
  access: TrackerAccess,
  { field, ids }: SingleValue,
  order: SortOrder,
  page: Pagination,
): RawBuilder<Row> {
  const { deleted, restricted } = hiddenArtifacts(access)
  const hidden = restricted
    ? sql`union all select artifact.id from artifact where ${restricted} and artifact.id = any(array(select hits.id from hits))`
    : sql``
  const isFew = sql`(select counted.is_few from counted)`
  return sql<Row>`
    with hits as materialized (
      select value_index.artifact_id as id from value_index
      where value_index.field_id = (select ${field}::bigint) and value_index.value = (select ${ids[0]}::bigint)
      limit ${sql.lit(MAX_FEW_HITS + 1)}
    ), deleted as materialized (
      select artifact.id from artifact where ${deleted} limit ${sql.lit(MAX_FEW_DELETED + 1)}
    ), hidden as materialized (select deleted.id from deleted ${hidden}), counted as materialized (
      select (select count(*) from hits) <= ${sql.lit(MAX_FEW_HITS)}
        and (select count(*) from deleted) <= ${sql.lit(MAX_FEW_DELETED)} as is_few
    ), fitting as materialized (
      select hits.id from hits where ${isFew} and hits.id not in (select hidden.id from hidden)
    )
    select array(select ${accessVersion} from ${fromTrackers(accesses.map(({ tracker }) => tracker.id))} order by tracker.id) as stamps,
      case when ${isFew} then (select count(*) from fitting) end as size,
      (select coalesce(json_agg(found), '[]') from (
        select fitting.id, ${sortCursorSql(order, 'fitting')} as place from fitting
        where ${page.after ? afterCursorSql(order, page.after, 'fitting') : sql`true`} order by ${orderSql(order, 'fitting')}
        limit ${page.limit + 1} offset ${page.after ? 0 : page.offset}) found) as found`
}
