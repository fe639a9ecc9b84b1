import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../trackers/search/condition.ts'

/** True if the condition may have had another result for the artifact then: a later version has changed its fields. */
export function changedSinceSql(condition: Condition, asOf: Date): RawBuilder<boolean> {
  const fields = fieldsIn(condition)
  const changesThem = fields ? sql`changeset.changes ?| ${fields.map(String)}::text[]` : sql`true`
  return sql`exists (select from changeset
    where changeset.artifact_id = artifact.id and changeset.submitted_on > ${asOf} and ${changesThem})`
}

/** The fields whose values decide; undefined if a condition depends on more than values that a version can change. */
function fieldsIn(condition: Condition): readonly number[] | undefined {
  if (condition.kind === 'all' || condition.kind === 'any') {
    const parts = condition.of.map(fieldsIn)
    const known = parts.filter((fields) => fields !== undefined)
    return known.length === parts.length ? known.flat() : undefined
  }
  if (condition.kind === 'not') return fieldsIn(condition.of)
  if (!('field' in condition)) return undefined
  return [condition.kind === 'text' ? condition.field.id : condition.field]
}
