import { bindComparison } from './bind-comparison.ts'
import { bindLink } from './bind-link.ts'
import type { Binding, Names } from './bind-scope.ts'
import { type Condition, EVERYTHING, NOTHING } from './condition.ts'
import { joinAll, joinAny, negate } from './join-conditions.ts'
import type { Expression } from './tql/syntax.ts'

/** What an expression asks of artifacts in any of these trackers. */
export async function bindExpression(
  expression: Expression | undefined,
  names: Names,
  binding: Binding,
): Promise<Condition> {
  if (!expression) return EVERYTHING
  return joinTrackers(await bindInEach(expression, names, binding), names)
}

/** What it asks in each of the trackers, in their order. */
async function bindInEach(expression: Expression, names: Names, binding: Binding): Promise<Condition[]> {
  if (expression.kind === 'comparison') return bindComparison(expression, names, binding)
  if (expression.kind === 'link') {
    const link = await bindLink(expression, binding, bindExpression)
    return names.sights.map(() => link)
  }
  if (expression.kind === 'not') return (await bindInEach(expression.of, names, binding)).map(negate)
  const parts: Condition[][] = []
  for (const each of expression.of) parts.push(await bindInEach(each, names, binding))
  const join = expression.kind === 'and' ? joinAll : joinAny
  return names.sights.map((_, at) => join(parts.map((part) => part[at] ?? NOTHING)))
}

/**
 * Trackers that are asked the same are asked together. Where all of them are, nothing need be said of trackers: whatever
 * is searched is in one of them.
 */
function joinTrackers(conditions: readonly Condition[], { sights }: Names): Condition {
  const asked = new Map<string, { condition: Condition; trackers: Names['sights'][number]['tracker'][] }>()
  for (const [at, { tracker }] of sights.entries()) {
    const condition = conditions[at] ?? NOTHING
    const key = JSON.stringify(condition)
    const same = asked.get(key) ?? { condition, trackers: [] }
    same.trackers.push(tracker)
    asked.set(key, same)
  }
  const [first, ...others] = asked.values()
  if (first && others.length === 0) return first.condition
  return joinAny(
    [...asked.values()].map(({ condition, trackers }) =>
      joinAll([{ kind: 'tracker', ids: trackers.map(({ id }) => id) }, condition]),
    ),
  )
}
