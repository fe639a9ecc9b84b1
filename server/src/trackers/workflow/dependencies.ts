import type { ErrorProblem } from '../../platform/messages/reasons.ts'
import type { TrackerAccess } from '../tracker-access.ts'
import { type Element, type ListRule, NONE_VALUE_ID, type StoredValues } from '../tracker.ts'
import { HIDDEN_RULE } from './hidden-rules.ts'
import { choosable, toFieldReference, type NamedValue, usedElement, storedListValues } from './list-values.ts'

/**
 * Checks list rules. Reports one violated pair of fields: the first that the caller may read, so that reports on
 * readable pairs do not depend on hidden values.
 */
export function checkListRules(
  access: Pick<TrackerAccess, 'tracker' | 'mayRead'>,
  merged: StoredValues,
): ErrorProblem | undefined {
  let hidden: ErrorProblem | undefined
  for (const rules of pairs(access.tracker.rules.lists)) {
    const [{ source: source_id, target: target_id }] = rules
    const source = usedElement(access.tracker, source_id)
    const target = usedElement(access.tracker, target_id)
    const given = storedListValues(merged, source_id)
    if (!source || !target || !given) continue
    const sources = orNone(given)
    const targets = orNone(storedListValues(merged, target_id) ?? [])
    const allowed = new Set<number>(
      rules.filter((rule) => sources.includes(rule.source_value)).map((rule) => rule.target_value),
    )
    if (targets.every((value) => allowed.has(value))) continue
    const problem = problemOf(access, { source, target, sources, targets, allowed })
    if (problem !== HIDDEN_RULE) return problem
    hidden = problem
  }
  return hidden
}

/** All rules of each pair of fields, in the order of the first occurrence of each pair. */
function pairs(rules: readonly ListRule[]): Iterable<[ListRule, ...ListRule[]]> {
  const found = new Map<string, [ListRule, ...ListRule[]]>()
  for (const rule of rules) {
    const key = `${rule.source} ${rule.target}`
    const known = found.get(key)
    if (known) known.push(rule)
    else found.set(key, [rule])
  }
  return found.values()
}

function orNone(values: readonly number[]): readonly number[] {
  return values.length === 0 ? [NONE_VALUE_ID] : values
}

interface Clash {
  readonly source: Element
  readonly target: Element
  readonly sources: readonly number[]
  readonly targets: readonly number[]
  readonly allowed: ReadonlySet<number>
}

function problemOf(
  { mayRead }: Pick<TrackerAccess, 'mayRead'>,
  { source, target, sources, targets, allowed }: Clash,
): ErrorProblem {
  if (!mayRead(source) || !mayRead(target)) return HIDDEN_RULE
  return {
    reason: 'value_not_allowed',
    cause: 'dependency',
    rule: 'one_of',
    ...toFieldReference(target),
    allowed: choices(target, allowed),
    params: {
      source: source.label,
      source_values: labels(source, sources),
      target: target.label,
      target_values: labels(target, targets),
    },
  }
}

/** None has no label; the API represents it by its id. */
function choices(element: Element, ids: ReadonlySet<number>): NamedValue[] {
  return [...(ids.has(NONE_VALUE_ID) ? [{ id: NONE_VALUE_ID, label: '' }] : []), ...choosable(element, ids)]
}

function labels({ bind }: Element, ids: readonly number[]): string {
  const values = bind?.type === 'static' ? bind.values : []
  return ids.flatMap((id) => values.find((value) => value.id === id)?.label ?? []).join(', ')
}
