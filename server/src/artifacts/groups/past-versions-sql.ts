import { type RawBuilder, sql } from 'kysely'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { FieldId } from '../../trackers/tracker.ts'
import { asksForLinks, conditionSql } from '../search/condition-sql.ts'
import type { Search } from '../search/find-ids.ts'
import { isVisibleInTracker } from '../visibility.ts'
import type { Grouping, GroupKey } from './grouping.ts'

/**
 * The versions of visible artifacts: author, date, the values of the counted fields, the first step at whose end the
 * version was current, and the first step of the next version.
 */
export function versionsSql(access: TrackerAccess, grouping: Grouping, ends: readonly Date[]): RawBuilder<unknown> {
  const first = sql`width_bucket(changeset.submitted_on, ${ends}::timestamptz[]) + 1`
  const held = fieldsOf(grouping).map((field, at) => sql`${heldSql(field)} as ${sql.ref(`held${at}`)}`)
  const columns = [
    sql`changeset.artifact_id, changeset.submitted_on as made, changeset.submitted_by as made_by, ${first} as first`,
    sql`lead(${first}, 1, ${ends.length + 1}) over history as until`,
    ...held,
  ]
  return sql`select ${sql.join(columns)} from changeset join artifact on artifact.id = changeset.artifact_id
    where ${isVisibleInTracker(access)} window history as (partition by changeset.artifact_id order by changeset.version)`
}

/**
 * The value of the field at this version, as text: the latest write up to it. A window aggregate; a lookup per version
 * is many times slower.
 */
function heldSql(field: FieldId): RawBuilder<unknown> {
  const written = sql`array[lpad(changeset.version::text, 10, '0'), changeset.changes ->> ${String(field)}]`
  return sql`(max(${written}) filter (where changeset.changes ? ${String(field)}) over history)[2]`
}

/**
 * The matching versions that were current at the end of a step. Links may change without a new version, so link
 * conditions are evaluated per step.
 */
export function fittingVersionsSql(
  { viewer }: TrackerAccess,
  { condition }: Search,
  grouping: Grouping,
): RawBuilder<unknown> {
  const past = asksForLinks(condition)
    ? sql`select version.*, step.number as "from", step.number + 1 as before,
        step.at - interval '1 microsecond' as at
        from version join step on step.number >= version.first and step.number < version.until`
    : sql`select version.*, version.first as "from", version.until as before, version.made as at from version
        where version.first < version.until`
  const held = fieldsOf(grouping).map((_, at) => sql.ref(`past.held${at}`))
  const columns = [
    sql`artifact.id, artifact.submitted_by, artifact.submitted_on, past.made, past.made_by`,
    sql`past."from" as first, past.before as until`,
    ...held,
  ]
  return sql`select ${sql.join(columns)} from (${past}) past join artifact on artifact.id = past.artifact_id
    where ${conditionSql(condition, { viewer, asOf: sql<Date>`past.at` })}`
}

/** The column of `artifact` with the past value of a field. */
export function heldIn(grouping: Grouping): (field: FieldId) => RawBuilder<unknown> {
  const fields = fieldsOf(grouping)
  return (field) => sql.ref(`artifact.held${fields.indexOf(field)}`)
}

/** Each field that is grouped by or summed, once. */
function fieldsOf({ keys, sums }: Grouping): FieldId[] {
  return [...new Set([...keys.flatMap(fieldIn), ...sums.map(({ id }) => id)])]
}

function fieldIn({ value }: GroupKey): FieldId[] {
  if (value.kind === 'list') return [value.field]
  if (value.kind === 'parent') return []
  if (value.kind === 'open') return value.status ? [value.status.field] : []
  return 'field' in value.of ? [value.of.field] : []
}
