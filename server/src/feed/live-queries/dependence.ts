import type { Ways } from '../../artifacts/links/find-dependent.ts'
import type { ReadSearch } from '../../artifacts/search/read-search.ts'
import { seesWhatIsShown } from '../../artifacts/visibility.ts'
import type { Condition, SortValue } from '../../trackers/search/condition.ts'
import type { Expression } from '../../trackers/search/tql/syntax.ts'
import type { Sight } from '../../trackers/sight.ts'

/** What an answer rests on beside the artifacts that are in it. */
export interface Dependence {
  /** Which links lead from an artifact to all that it depends on, one after the other; none: on itself alone. */
  readonly links: readonly Ways[]
  /** On what no event tells, such as the time: the query is asked again now and then. */
  readonly onMore: boolean
  /** On who is in which group, beside the groups of whoever asks. */
  readonly onGroups: boolean
}

export function dependenceOf(
  sight: Sight,
  { condition, order, said }: Pick<ReadSearch, 'condition' | 'order' | 'said'>,
): Dependence {
  const links = linksOf(condition)
  const isByLogin = order.keys.some(({ by, or = [] }) => [by, ...or].some(isOfAccount))
  const goesBy = said?.query.where !== undefined && isTimed(said.query.where)
  const onMore = links.length > 0 || isByLogin || goesBy || asksForFiles(condition)
  return { links, onMore, onGroups: !seesWhatIsShown(sight) }
}

function linksOf(condition: Condition): readonly Ways[] {
  if (condition.kind === 'not') return linksOf(condition.of)
  if (condition.kind === 'all' || condition.kind === 'any') return condition.of.map(linksOf).reduce(mergeLevels, [])
  if (condition.kind !== 'link') return []
  const isForward = condition.direction === 'forward'
  return [{ forward: isForward, reverse: !isForward }, ...(condition.where ? linksOf(condition.where) : [])]
}

function mergeLevels(one: readonly Ways[], other: readonly Ways[]): readonly Ways[] {
  return Array.from({ length: Math.max(one.length, other.length) }, (_, level) => ({
    forward: (one[level]?.forward ?? false) || (other[level]?.forward ?? false),
    reverse: (one[level]?.reverse ?? false) || (other[level]?.reverse ?? false),
  }))
}

/** Files are described by whoever may, without a word to the artifacts that they are in. */
function asksForFiles(condition: Condition): boolean {
  if (condition.kind === 'not') return asksForFiles(condition.of)
  if (condition.kind === 'all' || condition.kind === 'any') return condition.of.some(asksForFiles)
  return condition.kind === 'attached'
}

/** Accounts are renamed without a word to the feed. */
function isOfAccount({ kind }: SortValue): boolean {
  return kind === 'login' || kind === 'login_of_chosen'
}

/** What it asks becomes something else as time goes by. */
function isTimed(expression: Expression): boolean {
  if (expression.kind === 'comparison') return expression.literals.some(({ kind }) => kind === 'now')
  if (expression.kind === 'not') return isTimed(expression.of)
  if (expression.kind === 'link') return expression.where !== undefined && isTimed(expression.where)
  return expression.of.some(isTimed)
}
