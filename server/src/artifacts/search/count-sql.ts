import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../trackers/search/condition.ts'
import type { Sight } from '../../trackers/sight.ts'
import { hiddenFrom, seesWhatIsShown } from '../visibility.ts'
import { conditionSql, type Indexed } from './condition-sql.ts'
import { within } from './sql-parts.ts'

/**
 * How many fit, where the indexes of values can tell without the artifacts: all that are in them, less the few that are
 * hidden or deleted. Undefined: they cannot, and each has to be looked at.
 */
export function countByIndexes(sight: Sight, condition: Condition): RawBuilder<number> | undefined {
  const parts = condition.kind === 'all' ? condition.of : [condition]
  const indexed = parts.filter(isThereOnce)
  const [first, ...others] = indexed
  if (!first || indexed.length < parts.length || !seesWhatIsShown(sight)) return undefined
  const both = others.map((each) => sql` and exists (select ${rowsOf(each)} and other.artifact_id = one.artifact_id)`)
  const hidden = hiddenFrom(sight).map(
    (each) => sql` - (select count(*) from artifact where ${each} and ${conditionSql(condition, sight)})`,
  )
  return sql`((select count(*) ${rowsOf(first, sql`one`)}${sql.join(both, sql``)})${sql.join(hidden, sql``)})`
}

/** An artifact is in it once: one of several values may stand there twice. */
function isThereOnce(part: Condition): part is Indexed {
  return part.kind === 'number' || (part.kind === 'chosen' && part.ids.length === 1)
}

function rowsOf(part: Indexed, name = sql`other`): RawBuilder<unknown> {
  if (part.kind === 'number')
    return sql`from number_index ${name} where ${name}.field_id = ${part.field} and ${within(sql`${name}.value`, part)}`
  return sql`from value_index ${name} where ${name}.field_id = ${part.field} and ${name}.value = ${part.ids[0]}::bigint`
}
