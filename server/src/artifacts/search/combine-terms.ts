import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../trackers/search/condition.ts'
import type { Sight } from '../../trackers/sight.ts'
import { hiddenFrom, seesWhatIsShown } from '../visibility.ts'
import { conditionSql } from './condition-sql.ts'
import { within } from './sql-parts.ts'

type Term = Exclude<Condition, { kind: 'all' | 'any' | 'not' }>

export interface Combined {
  /** Selects the ids of the artifacts that the viewer sees and of which the condition is true. */
  readonly ids: RawBuilder<unknown>
  /** They are those of which it is false. */
  readonly isComplement: boolean
}

const MOST_TERMS = 60 // Bits of a bigint, some to spare.

/**
 * For conditions that no single index narrows down: each term is asked once, by its own index, and the answers are put
 * together by artifact, a bit for each. So what fits is known without a look at every artifact, and to deny something
 * costs what it costs to ask for it. Undefined: one of the terms may find so few that the rest is better asked of them.
 */
export function combineTerms(sight: Sight, condition: Condition): Combined | undefined {
  if (!seesWhatIsShown(sight) || isNarrowed(condition)) return undefined
  const terms = [...termsIn(condition)]
  if (terms.length === 0 || terms.length > MOST_TERMS) return undefined
  const bitOf = new Map(terms.map((term, at) => [term, String(1n << BigInt(at))]))
  const isTrue = judge(condition, (term) => sql`(answers.bits & ${bitOf.get(term) ?? '0'}::bigint <> 0)`)
  // Of artifacts that no term is true of there are no rows; so what is true of them is found by what is not.
  const isComplement = holdsOfNone(condition)
  const rows = terms.map((term) => rowsOf(sight, term, sql`${bitOf.get(term) ?? '0'}::bigint`))
  const hidden = hiddenFrom(sight).map((each) => sql`select artifact.id from artifact where ${each}`)
  return {
    isComplement,
    ids: sql`select answers.id from (
        select id, bit_or(bit) as bits from (${sql.join(rows, sql` union all `)}) answer group by id) answers
      where ${isComplement ? sql`not ${isTrue}` : isTrue}
        and answers.id not in (${sql.join(hidden, sql` union all `)})`,
  }
}

/** All of it must hold, and something that an index finds is among it; or it is that alone. */
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

/** Whether it is true of what no term is true of. */
function holdsOfNone(condition: Condition): boolean {
  if (condition.kind === 'not') return !holdsOfNone(condition.of)
  if (condition.kind === 'all') return condition.of.every(holdsOfNone)
  return condition.kind === 'any' && condition.of.some(holdsOfNone)
}

/** What is filtered by an index of its own is read from there, without the artifacts. */
function rowsOf(sight: Sight, term: Term, bit: RawBuilder<unknown>): RawBuilder<unknown> {
  if (term.kind === 'chosen' || term.kind === 'chosen_any') {
    const isMeant = term.kind === 'chosen' ? sql`value_index.value = any(${term.ids}::bigint[])` : sql`true`
    return sql`select value_index.artifact_id as id, ${bit} as bit from value_index
      where value_index.field_id = ${term.field} and ${isMeant}`
  }
  if (term.kind === 'number')
    return sql`select number_index.artifact_id as id, ${bit} as bit from number_index
      where number_index.field_id = ${term.field} and ${within(sql`number_index.value`, term)}`
  return sql`select artifact.id, ${bit} as bit from artifact
    where artifact.tracker_id = ${sight.tracker.id} and artifact.deleted_on is null and ${conditionSql(term, sight)}`
}
