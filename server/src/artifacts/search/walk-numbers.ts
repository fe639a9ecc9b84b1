import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../platform/database/conditions.ts'
import type { Page, Place } from '../../platform/http/pages.ts'
import type { Condition } from '../../trackers/search/condition.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import type { Order } from './order-sql.ts'
import { within } from './sql-parts.ts'

interface Walk {
  readonly condition: Condition
  /** Whether the row of `artifact` is one of them. */
  readonly fits: RawBuilder<boolean>
}

/**
 * What is sorted by one number is in the order of its index already: from the place of the page on, artifacts are looked
 * at until the page is full, and not all of them to sort them. Those without a number come last, and are looked for only
 * where the others do not fill the page. Selects the rows of `fitting`; undefined: another order is asked for.
 */
export function walkNumbers({ condition, fits }: Walk, order: Order, page: Page): RawBuilder<unknown> | undefined {
  const [key, ...others] = order.keys
  if (!key || others.length > 0 || key.or?.length || key.by.kind !== 'number') return undefined
  const { field } = key.by
  const limit = page.limit + 1 + (page.after ? 0 : page.offset)
  const { numbered, last } = behind(page.after, key.isDescending)
  const bounds = boundsIn(condition, field).map((range) => within(sql`sort.value`, range))
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

/** What comes behind a place: of those with a number, and of those without. */
function behind(place: Place | undefined, isDescending: boolean) {
  const everything = { numbered: sql<boolean>`true`, last: sql<boolean>`true` }
  if (!place) return everything
  const [value = null, id = null] = place
  if (value === null) return { numbered: sql<boolean>`false`, last: sql<boolean>`artifact.id > ${String(id)}::bigint` }
  const at = sql`${String(value)}::double precision`
  const numbered = sql<boolean>`(sort.value ${isDescending ? sql`<=` : sql`>=`} ${at}
    and (sort.value <> ${at} or sort.artifact_id > ${String(id)}::bigint))`
  return { ...everything, numbered }
}

/** Where the number has to lie for anything to fit. */
function boundsIn(condition: Condition, field: FieldId) {
  const parts = condition.kind === 'all' ? condition.of : [condition]
  return parts.filter((part) => part.kind === 'number').filter((part) => part.field === field)
}
