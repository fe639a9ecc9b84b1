import { bindComparison } from './bind-comparison.ts'
import { bindLink } from './bind-link.ts'
import type { Binding, NameScope } from './bind-scope.ts'
import { type Condition, ALWAYS_TRUE, ALWAYS_FALSE } from './condition.ts'
import { joinAll, joinAny, negate } from './join-conditions.ts'
import type { Expression } from './tql/syntax.ts'

/** The condition of an expression for artifacts in any of these trackers. */
export async function bindExpression(
  expression: Expression | undefined,
  names: NameScope,
  binding: Binding,
): Promise<Condition> {
  if (!expression) return ALWAYS_TRUE
  return joinTrackers(await bindInEach(expression, names, binding), names)
}

/** The condition in each of the trackers, in their order. */
async function bindInEach(expression: Expression, names: NameScope, binding: Binding): Promise<Condition[]> {
  if (expression.kind === 'comparison') return bindComparison(expression, names, binding)
  if (expression.kind === 'link') {
    const link = await bindLink(expression, binding, bindExpression)
    return names.accesses.map(() => link)
  }
  if (expression.kind === 'not') return (await bindInEach(expression.of, names, binding)).map(negate)
  const parts: Condition[][] = []
  for (const each of expression.of) parts.push(await bindInEach(each, names, binding))
  const join = expression.kind === 'and' ? joinAll : joinAny
  return names.accesses.map((_, at) => join(parts.map((part) => part[at] ?? ALWAYS_FALSE)))
}

/**
 * Merges trackers with the same condition. If all trackers share it, no tracker condition is needed, because the search
 * is already limited to them.
 */
function joinTrackers(conditions: readonly Condition[], { accesses }: NameScope): Condition {
  const asked = new Map<string, { condition: Condition; trackers: NameScope['accesses'][number]['tracker'][] }>()
  for (const [at, { tracker }] of accesses.entries()) {
    const condition = conditions[at] ?? ALWAYS_FALSE
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
