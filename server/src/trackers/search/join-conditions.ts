import { type Condition, ALWAYS_TRUE, ALWAYS_FALSE } from './condition.ts'

/** Conjunction, without conditions that are always true. */
export function joinAll(of: readonly Condition[]): Condition {
  const left = of.filter((each) => !isEverything(each))
  if (left.some(isNothing)) return ALWAYS_FALSE
  return left.length === 1 && left[0] ? left[0] : { kind: 'all', of: left }
}

/** Disjunction, without conditions that are always false. */
export function joinAny(of: readonly Condition[]): Condition {
  const left = of.filter((each) => !isNothing(each))
  if (left.some(isEverything)) return ALWAYS_TRUE
  return left.length === 1 && left[0] ? left[0] : { kind: 'any', of: left }
}

export function negate(of: Condition): Condition {
  if (isNothing(of)) return ALWAYS_TRUE
  return isEverything(of) ? ALWAYS_FALSE : { kind: 'not', of }
}

function isEverything(condition: Condition): boolean {
  return condition.kind === 'all' && condition.of.length === 0
}

function isNothing(condition: Condition): boolean {
  return condition.kind === 'any' && condition.of.length === 0
}
