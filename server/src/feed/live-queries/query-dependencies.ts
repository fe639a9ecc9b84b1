import type { LinkDirections } from '../../artifacts/links/find-dependent.ts'
import type { ReadSearch } from '../../artifacts/search/read-search.ts'
import { seesAllUnrestricted } from '../../artifacts/visibility.ts'
import type { Condition, SortValue } from '../../trackers/search/condition.ts'
import type { Expression } from '../../trackers/search/tql/syntax.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'

/** Everything that a result depends on beside the artifacts in it. */
export interface QueryDependencies {
  /** Link directions from an artifact to its dependencies, level by level; empty: it depends on itself alone. */
  readonly links: readonly LinkDirections[]
  /** Depends on state without events, such as the time: the query runs again at an interval. */
  readonly needsPolling: boolean
  /** Depends on memberships of groups, beside the viewer's own groups. */
  readonly dependsOnGroups: boolean
}

export function findQueryDependencies(
  access: TrackerAccess,
  { condition, order, said }: Pick<ReadSearch, 'condition' | 'order' | 'said'>,
): QueryDependencies {
  const links = linkLevels(condition)
  const isByLogin = order.keys.some(({ by, or = [] }) => [by, ...or].some(sortsByLogin))
  const usesTime = said?.query.where !== undefined && dependsOnTime(said.query.where)
  const needsPolling = links.length > 0 || isByLogin || usesTime || filtersByFiles(condition)
  return { links, needsPolling, dependsOnGroups: !seesAllUnrestricted(access) }
}

function linkLevels(condition: Condition): readonly LinkDirections[] {
  if (condition.kind === 'not') return linkLevels(condition.of)
  if (condition.kind === 'all' || condition.kind === 'any') return condition.of.map(linkLevels).reduce(mergeLevels, [])
  if (condition.kind !== 'link') return []
  const isForward = condition.direction === 'forward'
  return [{ forward: isForward, reverse: !isForward }, ...(condition.where ? linkLevels(condition.where) : [])]
}

function mergeLevels(one: readonly LinkDirections[], other: readonly LinkDirections[]): readonly LinkDirections[] {
  return Array.from({ length: Math.max(one.length, other.length) }, (_, level) => ({
    forward: (one[level]?.forward ?? false) || (other[level]?.forward ?? false),
    reverse: (one[level]?.reverse ?? false) || (other[level]?.reverse ?? false),
  }))
}

/** Descriptions of files change without an event of the artifact. */
function filtersByFiles(condition: Condition): boolean {
  if (condition.kind === 'not') return filtersByFiles(condition.of)
  if (condition.kind === 'all' || condition.kind === 'any') return condition.of.some(filtersByFiles)
  return condition.kind === 'attached'
}

/** Renaming an account writes no event. */
function sortsByLogin({ kind }: SortValue): boolean {
  return kind === 'login' || kind === 'login_of_chosen'
}

/** Whether the query compares with the current time. */
function dependsOnTime(expression: Expression): boolean {
  if (expression.kind === 'comparison') return expression.literals.some(({ kind }) => kind === 'now')
  if (expression.kind === 'not') return dependsOnTime(expression.of)
  if (expression.kind === 'link') return expression.where !== undefined && dependsOnTime(expression.where)
  return expression.of.some(dependsOnTime)
}
