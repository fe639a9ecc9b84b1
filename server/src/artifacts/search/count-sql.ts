import { type RawBuilder, sql } from 'kysely'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { Condition } from '../../trackers/search/condition.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import { fromTracker } from '../../trackers/visibility.ts'
import { hiddenArtifactConditions, seesAllUnrestricted, visibleArtifactCount } from '../visibility.ts'
import { conditionSql } from './condition-sql.ts'
import { isWithinBounds } from './sql-parts.ts'

/**
 * The exact count from value indexes alone: all entries minus the few hidden or deleted artifacts. Undefined if the
 * indexes cannot tell and artifacts must be read.
 */
export function countByIndexes(access: TrackerAccess, condition: Condition): RawBuilder<number> | undefined {
  if (!seesAllUnrestricted(access)) return undefined
  if (condition.kind === 'not') {
    const denied = countByIndexes(access, condition.of)
    return denied && sql`((select ${visibleArtifactCount(access)} from ${fromTracker(access.tracker.id)}) - ${denied})`
  }
  const parts = condition.kind === 'all' ? condition.of : [condition]
  const asked = parts.map((part) => askedIn(access, part))
  const [first, ...others] = asked.filter((each) => each !== undefined).toSorted(wantedFirst)
  if (!first || first.isDenied || others.length + 1 < parts.length) return undefined
  const both = others.map(
    ({ part, isDenied }) => sql` and ${isDenied ? sql`not` : sql``} exists (select ${rowsOf(part)}
      and other.artifact_id = one.artifact_id)`,
  )
  const hidden = hiddenArtifactConditions(access).map(
    (each) => sql` - (select count(*) from artifact where ${each} and ${conditionSql(condition, access)})`,
  )
  return sql`((select count(*) ${rowsOf(first.part, sql`one`)}${sql.join(both, sql``)})${sql.join(hidden, sql``)})`
}

/** Conditions that the index of one field decides. */
type Indexed = Extract<Condition, { kind: 'chosen' | 'chosen_any' | 'number' }>

interface CountedTerm {
  readonly part: Indexed
  readonly isDenied: boolean
}

function askedIn(access: TrackerAccess, condition: Condition): CountedTerm | undefined {
  const isDenied = condition.kind === 'not'
  const part = isDenied ? condition.of : condition
  return isThereOnce(access, part) ? { part, isDenied } : undefined
}

function wantedFirst(one: CountedTerm, other: CountedTerm): number {
  return Number(one.isDenied) - Number(other.isDenied)
}

/**
 * True if an artifact has at most one matching index entry. With several values it may have more, unless the field
 * takes a single value.
 */
function isThereOnce({ tracker }: TrackerAccess, part: Condition): part is Indexed {
  if (part.kind === 'number') return true
  if (part.kind !== 'chosen' && part.kind !== 'chosen_any') return false
  if (part.kind === 'chosen' && part.ids.length === 1) return true
  return tracker.elements.some((element) => element.id === part.field && fieldTypeOf(element).list === 'one')
}

function rowsOf(part: Indexed, name = sql`other`): RawBuilder<unknown> {
  if (part.kind === 'number')
    return sql`from number_index ${name} where ${name}.field_id = ${part.field} and ${isWithinBounds(sql`${name}.value`, part)}`
  const isMeant = part.kind === 'chosen' ? sql`${name}.value = any(${part.ids}::bigint[])` : sql`true`
  return sql`from value_index ${name} where ${name}.field_id = ${part.field} and ${isMeant}`
}
