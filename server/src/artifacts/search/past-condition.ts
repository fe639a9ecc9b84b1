import { type RawBuilder, sql } from 'kysely'
import { fileTextMatches } from '../../files/file-text-matches.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import type { Condition, Unit } from '../../trackers/search/condition.ts'
import { likePattern, storedTextSql, isWithinBounds } from './sql-parts.ts'

/** An instant, or an SQL expression of one. */
export type InstantOrSql = Date | RawBuilder<Date>

/** Conditions on values, current or past. */
export type ValueCondition = Extract<
  Condition,
  { kind: 'chosen' | 'chosen_any' | 'number' | 'number_pattern' | 'text' | 'attached' | 'instant' | 'person' }
>

/** The same condition on past values of `artifact`. There is no index on the past, so each history is read. */
export function pastCondition(condition: ValueCondition, asOf: InstantOrSql): RawBuilder<boolean> {
  if (condition.kind === 'chosen')
    return sql`coalesce(${idsIn(condition.field, asOf)} && ${condition.ids}::bigint[], false)`
  if (condition.kind === 'chosen_any') return sql`coalesce(cardinality(${idsIn(condition.field, asOf)}) > 0, false)`
  if (condition.kind === 'number') return isWithinBounds(numberIn(condition.field, condition.unit, asOf), condition)
  if (condition.kind === 'number_pattern')
    return sql`coalesce((${pastValue(condition.field, asOf)} #>> '{}') ~* ${condition.pattern}, false)`
  if (condition.kind === 'text') {
    const { field } = condition
    const text = storedTextSql(sql`jsonb_build_object(${String(field.id)}::text, ${pastValue(field.id, asOf)})`, field)
    if ('isThere' in condition) return sql`(coalesce(${text}, '') <> '')`
    if ('pattern' in condition) return sql`coalesce(${text} ~* ${condition.pattern}, false)`
    return sql`coalesce(caseless(${text}) like caseless(${likePattern(condition.contains)}), false)`
  }
  if (condition.kind === 'attached')
    return sql`exists (select from (${storedIdsSql(pastValue(condition.field, asOf))}) as held (id)
      where ${fileTextMatches(sql`held.id`, likePattern(condition.contains))})`
  if (condition.kind === 'instant') {
    const range = {
      ...(condition.from && { from: condition.from }),
      ...(condition.before && { to: condition.before, isBefore: true }),
    }
    return isWithinBounds(
      condition.fact === 'submitted_on' ? sql`artifact.submitted_on` : lastVersion('submitted_on', asOf),
      range,
    )
  }
  const who = condition.fact === 'submitted_by' ? sql`artifact.submitted_by` : lastVersion('submitted_by', asOf)
  return sql`coalesce(${who} = any(${condition.ids}::bigint[]), false)`
}

/** The last value written up to then. */
function pastValue(field: FieldId, asOf: InstantOrSql): RawBuilder<unknown> {
  return sql`(select changeset.changes -> ${String(field)} from changeset
    where changeset.artifact_id = artifact.id and changeset.submitted_on <= ${asOf}
      and changeset.changes ? ${String(field)} order by changeset.version desc limit 1)`
}

function lastVersion(column: 'submitted_on' | 'submitted_by', asOf: InstantOrSql): RawBuilder<unknown> {
  return sql`(select ${sql.ref(`changeset.${column}`)} from changeset
    where changeset.artifact_id = artifact.id and changeset.submitted_on <= ${asOf}
    order by changeset.version desc limit 1)`
}

function idsIn(field: FieldId, asOf: InstantOrSql): RawBuilder<unknown> {
  return sql`(select array_agg(id) from (${storedIdsSql(pastValue(field, asOf))}) as held (id))`
}

/**
 * The ids in a stored value as in the index: an added value of an open list is stored with its label. The subquery makes
 * PostgreSQL compute the value once.
 */
export function storedIdsSql(stored: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select case jsonb_typeof(each) when 'number' then (each #>> '{}')::bigint else -(each ->> 'id')::bigint end
    from (select ${stored} as ids offset 0) stored
      cross join jsonb_array_elements(case jsonb_typeof(stored.ids) when 'array' then stored.ids else '[]' end) as each`
}

function numberIn(field: FieldId, unit: Unit, asOf: InstantOrSql): RawBuilder<unknown> {
  return storedNumberSql(sql`(${pastValue(field, asOf)} #>> '{}')`, unit)
}

/** The number of a stored value as in the index; `text`: the stored value as text. */
export function storedNumberSql(text: RawBuilder<unknown>, unit: Unit): RawBuilder<unknown> {
  if (unit === 'number') return sql`${text}::double precision`
  const seconds = sql`extract(epoch from (case when length(${text}) > 10 then ${text}::timestamptz
    else (${text} || 'T00:00:00Z')::timestamptz end))`
  return unit === 'second' ? seconds : sql`floor(${seconds} / 86400)`
}
