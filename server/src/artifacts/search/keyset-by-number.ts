import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../platform/database/conditions.ts'
import type { Pagination, KeysetPosition } from '../../platform/http/pages.ts'
import type { Condition } from '../../trackers/search/condition.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import type { SortOrder } from './order-sql.ts'
import { isWithinBounds } from './sql-parts.ts'

interface KeysetScan {
  readonly condition: Condition
  /** True if the row of `artifact` matches. */
  readonly fits: RawBuilder<boolean>
}

/**
 * Keyset pagination on the number index: reads artifacts in index order from the cursor until the page is full, instead
 * of sorting all. Artifacts without a number come last and are read only if the page is not full. Selects the rows of
 * `fitting`; undefined for another order.
 */
export function keysetByNumber(
  { condition, fits }: KeysetScan,
  order: SortOrder,
  page: Pagination,
): RawBuilder<unknown> | undefined {
  const [key, ...others] = order.keys
  if (!key || others.length > 0 || key.or?.length || key.by.kind !== 'number') return undefined
  const { field } = key.by
  const limit = page.limit + 1 + (page.after ? 0 : page.offset)
  const { numbered, last } = behind(page.after, key.isDescending)
  const bounds = boundsIn(condition, field).map((range) => isWithinBounds(sql`sort.value`, range))
  const has = sql`exists (select from number_index where number_index.artifact_id = artifact.id
    and number_index.field_id = ${field})`
  return sql`with numbered as materialized (
      select artifact.id, sort.value as key_0 from number_index sort join artifact on artifact.id = sort.artifact_id
      where sort.field_id = ${field} and ${allOf([numbered, ...bounds, fits])}
      order by sort.value ${key.isDescending ? sql`desc` : sql`asc`}, sort.artifact_id limit ${limit}
    )
    select numbered.id, numbered.key_0 from numbered
    union all select last.id, null from (
      select artifact.id from artifact where ${last} and ${fits} and not ${has} order by artifact.id
      limit case when (select count(*) from numbered) < ${limit} then ${limit}::bigint else 0 end
    ) last`
}

/** Conditions for rows after the cursor: with a number, and without one. */
function behind(place: KeysetPosition | undefined, isDescending: boolean) {
  const everything = { numbered: sql<boolean>`true`, last: sql<boolean>`true` }
  if (!place) return everything
  const [value = null, id = null] = place
  if (value === null) return { numbered: sql<boolean>`false`, last: sql<boolean>`artifact.id > ${String(id)}::bigint` }
  const at = sql`${String(value)}::double precision`
  const numbered = sql<boolean>`(sort.value ${isDescending ? sql`<=` : sql`>=`} ${at}
    and (sort.value <> ${at} or sort.artifact_id > ${String(id)}::bigint))`
  return { ...everything, numbered }
}

/** Bounds on the number that the condition requires. */
function boundsIn(condition: Condition, field: FieldId) {
  const parts = condition.kind === 'all' ? condition.of : [condition]
  return parts.filter((part) => part.kind === 'number').filter((part) => part.field === field)
}
