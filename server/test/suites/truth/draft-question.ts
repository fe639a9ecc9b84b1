import { createRepeatableRandom, type RepeatableRandom } from '../fuzz/random.ts'
import { draftCriteria } from './draft-criteria.ts'
import { draftTql } from './draft-terms.ts'
import type { OracleViewer, OracleWorld } from './model.ts'
import type { OracleQuestion } from './oracle.ts'
import type { OracleQuery, OracleTerm } from './query.ts'

/** The question with this number: deterministic by seed, independent of earlier questions. */
export function draftQuestion(
  world: OracleWorld,
  viewers: readonly OracleViewer[],
  seed: string,
  number: number,
): { question: OracleQuestion; random: RepeatableRandom } {
  const random = createRepeatableRandom(`question ${seed} ${number}`)
  const viewer = random.pickAny(viewers) ?? {
    name: 'nobody',
    groups: [],
    administers: false,
    isSiteAdmin: false,
    zone: 'UTC',
  }
  const tracker = (random.chance(0.2) ? random.pickAny(world.trackers) : undefined) ?? world.trackers[0]
  const drafting = { random, world, viewer, tracker }
  const query: OracleQuery = random.chance(0.03)
    ? { kind: 'plain', order: random.pick(['asc', 'desc']) }
    : random.chance(0.35)
      ? draftCriteria(drafting)
      : draftTql(drafting)
  return { question: { tracker, viewer, query }, random }
}

/** The row of the result table. */
export function questionKind(query: OracleQuery, isRefused: boolean): string {
  if (isRefused) return query.kind === 'criteria' ? 'criteria, refused' : 'TQL, refused'
  if (query.kind === 'plain') return 'plain listing'
  if (query.kind === 'criteria') return `criteria in ${query.place === 'both' ? 'query and body' : query.place}`
  const terms = termsOf(query.where)
  if (query.as_of) return 'TQL as of'
  const sorted = query.sort ? ', sorted' : ''
  if (terms.some((term) => term.kind === 'link' && term.where)) return `TQL nested links${sorted}`
  if (terms.some((term) => term.kind === 'link')) return `TQL links${sorted}`
  return `TQL comparisons${sorted}`
}

function termsOf(term: OracleTerm): OracleTerm[] {
  if (term.kind === 'and' || term.kind === 'or') return term.of.flatMap(termsOf)
  return term.kind === 'not' ? termsOf(term.of) : [term]
}
