import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../trackers/search/condition.ts'
import type { Sight } from '../../trackers/sight.ts'
import { oneTracker } from '../../trackers/visibility.ts'
import { hiddenFrom, seesWhatIsShown, sizeInSight } from '../visibility.ts'
import { conditionSql } from './condition-sql.ts'
import { within } from './sql-parts.ts'

/**
 * How many fit, where the indexes of values can tell without the artifacts: all that are in them, less the few that are
 * hidden or deleted. Undefined: they cannot, and each has to be looked at.
 */
export function countByIndexes(sight: Sight, condition: Condition): RawBuilder<number> | undefined {
  if (!seesWhatIsShown(sight)) return undefined
  if (condition.kind === 'not') {
    const denied = countByIndexes(sight, condition.of)
    return denied && sql`((select ${sizeInSight(sight)} from ${oneTracker(sight.tracker.id)}) - ${denied})`
  }
  const parts = condition.kind === 'all' ? condition.of : [condition]
  const asked = parts.map((part) => askedIn(sight, part))
  const [first, ...others] = asked.filter((each) => each !== undefined).toSorted(wantedFirst)
  if (!first || first.isDenied || others.length + 1 < parts.length) return undefined
  const both = others.map(
    ({ part, isDenied }) => sql` and ${isDenied ? sql`not` : sql``} exists (select ${rowsOf(part)}
      and other.artifact_id = one.artifact_id)`,
  )
  const hidden = hiddenFrom(sight).map(
    (each) => sql` - (select count(*) from artifact where ${each} and ${conditionSql(condition, sight)})`,
  )
  return sql`((select count(*) ${rowsOf(first.part, sql`one`)}${sql.join(both, sql``)})${sql.join(hidden, sql``)})`
}

/** What the index of one field alone can tell. */
type Indexed = Extract<Condition, { kind: 'chosen' | 'chosen_any' | 'number' }>

interface Asked {
  readonly part: Indexed
  readonly isDenied: boolean
}

function askedIn(sight: Sight, condition: Condition): Asked | undefined {
  const isDenied = condition.kind === 'not'
  const part = isDenied ? condition.of : condition
  return isThereOnce(sight, part) ? { part, isDenied } : undefined
}

function wantedFirst(one: Asked, other: Asked): number {
  return Number(one.isDenied) - Number(other.isDenied)
}

/** An artifact is in it once: one of several values may stand there twice, unless its field takes one alone. */
function isThereOnce({ tracker }: Sight, part: Condition): part is Indexed {
  if (part.kind === 'number') return true
  if (part.kind !== 'chosen' && part.kind !== 'chosen_any') return false
  if (part.kind === 'chosen' && part.ids.length === 1) return true
  return tracker.elements.some(({ id, type }) => id === part.field && (type === 'sb' || type === 'rb'))
}

function rowsOf(part: Indexed, name = sql`other`): RawBuilder<unknown> {
  if (part.kind === 'number')
    return sql`from number_index ${name} where ${name}.field_id = ${part.field} and ${within(sql`${name}.value`, part)}`
  const isMeant = part.kind === 'chosen' ? sql`${name}.value = any(${part.ids}::bigint[])` : sql`true`
  return sql`from value_index ${name} where ${name}.field_id = ${part.field} and ${isMeant}`
}
