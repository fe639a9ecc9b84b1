import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../trackers/search/condition.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import { hiddenArtifactConditions, seesAllUnrestricted } from '../visibility.ts'
import { conditionSql } from './condition-sql.ts'
import { chooseSource, fromSource, usableSummaries } from './search-source.ts'
import { isWithinBounds } from './sql-parts.ts'

type Term = Exclude<Condition, { kind: 'all' | 'any' | 'not' }>

export interface BitmapQuery {
  /** Selects the ids of visible artifacts that match the condition. */
  readonly ids: RawBuilder<unknown>
  /** The ids are those that do not match. */
  readonly isComplement: boolean
}

const MAX_BITMAP_TERMS = 60 // Bits of a bigint, with some to spare.

/**
 * For conditions that no single index narrows down: each term is read once from its own index, and the results are
 * combined per artifact in a bitmap with one bit per term. Not every artifact is read, and a negation costs as much as
 * the term. Undefined if a term is selective enough to start from.
 */
export function buildBitmapQuery(access: TrackerAccess, condition: Condition): BitmapQuery | undefined {
  if (!seesAllUnrestricted(access) || isNarrowed(condition)) return undefined
  const terms = [...termsIn(condition)]
  if (terms.length === 0 || terms.length > MAX_BITMAP_TERMS) return undefined
  const bitOf = new Map(terms.map((term, at) => [term, String(1n << BigInt(at))]))
  const isTrue = judge(condition, (term) => sql`(answers.bits & ${bitOf.get(term) ?? '0'}::bigint <> 0)`)
  // Artifacts that match no term have no row; if the condition holds for them, compute the complement.
  const isComplement = holdsOfNone(condition)
  const rows = terms.map((term) => rowsOf(access, term, sql`${bitOf.get(term) ?? '0'}::bigint`))
  const hidden = hiddenArtifactConditions(access).map((each) => sql`select artifact.id from artifact where ${each}`)
  return {
    isComplement,
    ids: sql`select answers.id from (
        select id, bit_or(bit) as bits from (${sql.join(rows, sql` union all `)}) answer group by id) answers
      where ${isComplement ? sql`not ${isTrue}` : isTrue}
        and answers.id not in (${sql.join(hidden, sql` union all `)})`,
  }
}

/** True if the condition requires an indexed term. */
function isNarrowed(condition: Condition): boolean {
  if (condition.kind === 'all') return condition.of.length === 0 || condition.of.some(isNarrowed)
  if (condition.kind === 'any' || condition.kind === 'not') return false
  if (condition.kind === 'chosen') return condition.ids.length === 1
  return condition.kind !== 'chosen_any'
}

function* termsIn(condition: Condition): Generator<Term> {
  if (condition.kind === 'not') yield* termsIn(condition.of)
  else if (condition.kind === 'all' || condition.kind === 'any') for (const part of condition.of) yield* termsIn(part)
  else yield condition
}

function judge(condition: Condition, isTrue: (term: Term) => RawBuilder<boolean>): RawBuilder<boolean> {
  if (condition.kind === 'not') return sql`(not ${judge(condition.of, isTrue)})`
  if (condition.kind !== 'all' && condition.kind !== 'any') return isTrue(condition)
  const parts = condition.of.map((part) => judge(part, isTrue))
  if (parts.length === 0) return condition.kind === 'all' ? sql`true` : sql`false`
  return sql`(${sql.join(parts, condition.kind === 'all' ? sql` and ` : sql` or `)})`
}

/** True if the condition holds for an artifact that matches no term. */
function holdsOfNone(condition: Condition): boolean {
  if (condition.kind === 'not') return !holdsOfNone(condition.of)
  if (condition.kind === 'all') return condition.of.every(holdsOfNone)
  return condition.kind === 'any' && condition.of.some(holdsOfNone)
}

/** Terms with their own index are read from it, without the artifacts. */
function rowsOf(access: TrackerAccess, term: Term, bit: RawBuilder<unknown>): RawBuilder<unknown> {
  if (term.kind === 'chosen' || term.kind === 'chosen_any') {
    const isMeant = term.kind === 'chosen' ? sql`value_index.value = any(${term.ids}::bigint[])` : sql`true`
    return sql`select value_index.artifact_id as id, ${bit} as bit from value_index
      where value_index.field_id = ${term.field} and ${isMeant}`
  }
  if (term.kind === 'number')
    return sql`select number_index.artifact_id as id, ${bit} as bit from number_index
      where number_index.field_id = ${term.field} and ${isWithinBounds(sql`number_index.value`, term)}`
  const summaries = usableSummaries([access])
  const source = chooseSource(summaries, term)
  return sql`select artifact.id, ${bit} as bit from ${fromSource(source)}
    where artifact.tracker_id = ${access.tracker.id} and artifact.deleted_on is null
      and ${conditionSql(term, { viewer: access.viewer, source, summaries })}`
}
