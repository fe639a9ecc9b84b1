import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../platform/database/conditions.ts'
import type { Pagination, KeysetPosition } from '../../platform/http/pages.ts'
import type { Condition, SortKey } from '../../trackers/search/condition.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import type { SortOrder } from './order-sql.ts'
import { fromSource, isTitle, type SearchSource, type UsableSummaries } from './search-source.ts'
import { isWithinBounds } from './sql-parts.ts'

interface KeysetScan {
  readonly condition: Condition
  /** True if the row of `artifact` matches. */
  readonly fits: RawBuilder<boolean>
  /** The table that `fits` calls `artifact`. */
  readonly source: SearchSource
  readonly summaries: UsableSummaries | undefined
}

/** An index that has the values in order. */
interface SortIndex {
  /** The index joined with `artifact`. */
  readonly from: RawBuilder<unknown>
  readonly value: RawBuilder<unknown>
  readonly id: RawBuilder<unknown>
  /** The SQL type of the value, to cast a cursor text back to. */
  readonly type: RawBuilder<unknown>
  /** Conditions on its rows. */
  readonly only: readonly RawBuilder<boolean>[]
  /** True if `artifact` has no value. */
  readonly isMissing: RawBuilder<boolean>
}

/**
 * Keyset pagination on an index: reads artifacts in index order from the cursor until the page is full, instead of
 * sorting all. Artifacts without a value come last and are read only if the page is not full. Selects the rows of
 * `fitting`; undefined if no index has this order.
 */
export function keysetByIndex(
  scan: KeysetScan,
  { keys: [key, ...others] }: SortOrder,
  page: Pagination,
): RawBuilder<unknown> | undefined {
  const index = key && others.length === 0 ? indexFor(key, scan) : undefined
  if (!key || !index) return undefined
  const { from, value, id, only, isMissing } = index
  const limit = page.limit + 1 + (page.after ? 0 : page.offset)
  const { valued, last } = behind(page.after, index, key.isDescending)
  return sql`with valued as materialized (
      select artifact.id, ${value} as key_0 from ${from} where ${allOf([valued, ...only, scan.fits])}
      order by ${value} ${key.isDescending ? sql`desc` : sql`asc`}, ${id} limit ${limit}
    )
    select valued.id, valued.key_0 from valued
    union all select last.id, null from (
      select artifact.id from ${fromSource(scan.source)} where ${last} and ${scan.fits} and ${isMissing} order by artifact.id
      limit case when (select count(*) from valued) < ${limit} then ${limit}::bigint else 0 end
    ) last`
}

function indexFor({ by, or = [] }: SortKey, { condition, source, summaries }: KeysetScan): SortIndex | undefined {
  if (or.length > 0) return undefined
  if (by.kind === 'number')
    return {
      from: sql`number_index sort join ${fromSource(source)} on artifact.id = sort.artifact_id`,
      value: sql`sort.value`,
      id: sql`sort.artifact_id`,
      type: sql`double precision`,
      only: [
        sql`sort.field_id = ${by.field}`,
        ...boundsIn(condition, by.field).map((range) => isWithinBounds(sql`sort.value`, range)),
      ],
      isMissing: sql`not exists (select from number_index where number_index.artifact_id = artifact.id
        and number_index.field_id = ${by.field})`,
    }
  if (by.kind === 'text' && source === 'artifact_summary' && isTitle(by.field, summaries))
    return {
      from: fromSource(source),
      value: sql`artifact.title`,
      id: sql`artifact.id`,
      type: sql`text`,
      only: [sql`artifact.title is not null`],
      isMissing: sql`artifact.title is null`,
    }
  return undefined
}

/** Conditions for rows after the cursor: with a value, and without one. */
function behind(
  place: KeysetPosition | undefined,
  { value: sorted, id: itsId, type }: SortIndex,
  isDescending: boolean,
) {
  const everything = { valued: sql<boolean>`true`, last: sql<boolean>`true` }
  if (!place) return everything
  const [value = null, id = null] = place
  if (value === null) return { valued: sql<boolean>`false`, last: sql<boolean>`artifact.id > ${String(id)}::bigint` }
  const at = sql`${String(value)}::${type}`
  const valued = sql<boolean>`(${sorted} ${isDescending ? sql`<=` : sql`>=`} ${at}
    and (${sorted} <> ${at} or ${itsId} > ${String(id)}::bigint))`
  return { ...everything, valued }
}

/** Bounds on the number that the condition requires. */
function boundsIn(condition: Condition, field: FieldId) {
  const parts = condition.kind === 'all' ? condition.of : [condition]
  return parts.filter((part) => part.kind === 'number').filter((part) => part.field === field)
}
