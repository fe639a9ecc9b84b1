import type { Problem } from '../../platform/words/reasons.ts'
import type { Sight } from '../sight.ts'
import { type Element, type ListRule, NONE, type StoredValues } from '../tracker.ts'
import { choosable, named, type NamedValue, usedElement, valuesOf } from './list-values.ts'

/** Whether the values of lists go together. The first pair of fields that does not ends the search. */
export function checkListRules(sight: Pick<Sight, 'tracker' | 'mayRead'>, merged: StoredValues): Problem | undefined {
  for (const rules of pairs(sight.tracker.rules.lists)) {
    const [{ source: source_id, target: target_id }] = rules
    const source = usedElement(sight.tracker, source_id)
    const target = usedElement(sight.tracker, target_id)
    const given = valuesOf(merged, source_id)
    if (!source || !target || !given) continue
    const sources = orNone(given)
    const targets = orNone(valuesOf(merged, target_id) ?? [])
    const allowed = new Set<number>(
      rules.filter((rule) => sources.includes(rule.source_value)).map((rule) => rule.target_value),
    )
    if (targets.every((value) => allowed.has(value))) continue
    return problemOf(sight, { source, target, sources, targets, allowed })
  }
  return undefined
}

/** All rules of each pair of fields, in the order in which the pairs first appear. */
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
  return values.length === 0 ? [NONE] : values
}

interface Clash {
  readonly source: Element
  readonly target: Element
  readonly sources: readonly number[]
  readonly targets: readonly number[]
  readonly allowed: ReadonlySet<number>
}

/** What the caller may not read is not named: neither the fields nor their values. */
function problemOf({ mayRead }: Pick<Sight, 'mayRead'>, { source, target, sources, targets, allowed }: Clash): Problem {
  return {
    reason: 'value_not_allowed',
    cause: 'dependency',
    rule: 'one_of',
    ...(mayRead(target) && { ...named(target), allowed: choices(target, allowed) }),
    params: {
      ...(mayRead(source) && { source: source.label, source_values: labels(source, sources) }),
      ...(mayRead(target) && { target: target.label, target_values: labels(target, targets) }),
    },
  }
}

/** None has no label: it is its number, like everywhere on the wire. */
function choices(element: Element, ids: ReadonlySet<number>): NamedValue[] {
  return [...(ids.has(NONE) ? [{ id: NONE, label: '' }] : []), ...choosable(element, ids)]
}

function labels({ bind }: Element, ids: readonly number[]): string {
  const values = bind?.type === 'static' ? bind.values : []
  return ids.flatMap((id) => values.find((value) => value.id === id)?.label ?? []).join(', ')
}
