import { createRepeatableRandom } from '../fuzz/random.ts'
import type { OracleApi } from './api.ts'
import { askServer } from './ask.ts'
import type { OracleWorld } from './model.ts'
import type { OracleQuestion } from './oracle.ts'
import type { OracleComparison, OracleLinkTerm, OracleQuery, OracleTerm } from './query.ts'

const ATTEMPTS_PER_QUESTION = 5
const MAX_STEPS = 60

/** The smallest variant of this query that still fails, and its fault. */
export async function shrink(
  api: OracleApi,
  world: OracleWorld,
  question: OracleQuestion,
  seed: string,
): Promise<{ question: OracleQuestion; fault: string }> {
  // Limits stay random: a pagination fault may need another one to show.
  const faultOf = async (asked: OracleQuestion) => {
    for (let attempt = 0; attempt < ATTEMPTS_PER_QUESTION; attempt++) {
      const fault = await askServer(api, world, asked, createRepeatableRandom(`${seed} ${attempt}`))
      if (fault !== undefined) return fault
    }
    return undefined
  }
  let smallest = { question, fault: (await faultOf(question)) ?? 'it has not gone wrong again' }
  for (let step = 0; step < MAX_STEPS; step++) {
    const smaller = await firstWrong(smallest.question, faultOf)
    if (!smaller) break
    smallest = smaller
  }
  return smallest
}

async function firstWrong(question: OracleQuestion, faultOf: (asked: OracleQuestion) => Promise<string | undefined>) {
  for (const query of smallerQueries(question.query)) {
    const asked = { ...question, query }
    const fault = await faultOf(asked)
    if (fault !== undefined) return { question: asked, fault }
  }
  return undefined
}

export function smallerQueries(query: OracleQuery): OracleQuery[] {
  const { order: _, ...unordered } = query
  const withoutOrder = query.order ? [unordered] : []
  if (query.kind === 'plain') return withoutOrder
  if (query.kind === 'criteria') {
    const fewer =
      query.criteria.length > 1 ? withoutEach(query.criteria).map((criteria) => ({ ...query, criteria })) : []
    return [...withoutOrder, ...fewer]
  }
  const { as_of, sort, ...rest } = query
  const { hand, ...plainly } = query
  return [
    ...withoutOrder,
    ...(hand === undefined ? [] : [plainly]),
    ...(as_of ? [{ ...rest, ...(sort && { sort }) }] : []),
    ...(sort ? [{ ...rest, ...(as_of && { as_of }) }] : []),
    ...(sort && sort.length > 1 ? withoutEach(sort).map((fewer) => ({ ...query, sort: fewer })) : []),
    ...smallerTerms(query.where).map((where) => ({ ...query, where })),
  ]
}

function smallerTerms(term: OracleTerm): OracleTerm[] {
  if (term.kind === 'not') return [term.of, ...smallerTerms(term.of).map((of): OracleTerm => ({ kind: 'not', of }))]
  if (term.kind === 'compare') return smallerComparisons(term)
  if (term.kind === 'link') return smallerLinks(term)
  const { kind, of } = term
  const fewer = of.length > 2 ? withoutEach(of).map((some): OracleTerm => ({ kind, of: some })) : []
  const inside = of.flatMap((each, at) =>
    smallerTerms(each).map(
      (smaller): OracleTerm => ({ kind, of: of.map((other, place) => (place === at ? smaller : other)) }),
    ),
  )
  return [...of, ...fewer, ...inside]
}

function smallerComparisons(term: OracleComparison): OracleComparison[] {
  const { comparator, literals } = term
  if ((comparator === 'IN' || comparator === 'NOT IN') && literals.length > 1)
    return withoutEach(literals).map((fewer) => ({ ...term, literals: fewer }))
  const [literal] = literals
  if (literal?.kind !== 'string' || literals.length > 1 || literal.text.length < 2) return []
  const characters = Array.from(literal.text)
  const halves = [characters.slice(0, characters.length / 2), characters.slice(characters.length / 2)]
  return halves.map((half) => ({ ...term, literals: [{ kind: 'string', text: half.join('') }] }))
}

function smallerLinks(term: OracleLinkTerm): OracleLinkTerm[] {
  const { kind, form, isNegated = false, where, tracker } = term
  const rest: OracleLinkTerm = { kind, form, isNegated }
  const inside = where ? smallerTerms(where).map((smaller) => ({ ...term, where: smaller })) : []
  const without = term.isAll ? [] : [rest, { ...rest, ...(where && { where }), ...(tracker && { tracker }) }]
  const isSmaller = (other: OracleLinkTerm) => JSON.stringify(other).length < JSON.stringify(term).length
  return [...without.filter(isSmaller), ...inside]
}

function withoutEach<T>(list: readonly T[]): T[][] {
  return list.map((_, at) => list.filter((__, place) => place !== at))
}
